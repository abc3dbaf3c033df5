/** What answers the first open question, from an empty message box, by the key that is pressed with Ctrl or Cmd. */
export const ANSWER_KEYS = { approve: 'Control+Enter', reject: 'Control+Backspace' } as const;

interface Chord {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  /** The key is held down. */
  readonly repeat: boolean;
  readonly preventDefault: () => void;
}

/**
 * Whether the keys were an answer. A question whose end was not in view yet is shown in place of being approved, and so is
 * one of several: the keys cannot tell which of them is meant. A held key answers nothing, because it may have begun as
 * something else, and would answer the next question unread. One that takes no click yet takes no key either.
 */
export function answerByKeys(event: Chord): boolean {
  if (!event.ctrlKey && !event.metaKey) return false;
  const shortcut = Object.values(ANSWER_KEYS).find((name) => name === `Control+${event.key}`);
  if (shortcut === undefined) return false;
  const buttons = document.querySelectorAll<HTMLButtonElement>(`.approval button[aria-keyshortcuts="${shortcut}"]`);
  const [button] = buttons;
  if (button === undefined) return false;
  event.preventDefault();
  // A script can click what is inert.
  if (event.repeat || button.closest('[inert]') !== null) return true;
  if (button.disabled || buttons.length > 1) button.closest('.approval')?.querySelector<HTMLElement>('.asked')?.focus();
  else button.click();
  return true;
}

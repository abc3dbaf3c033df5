/** What answers the first open question, from an empty message box, by the key that is pressed with Ctrl or Cmd. */
export const ANSWER_KEYS = { approve: 'Control+Enter', reject: 'Control+Backspace' } as const;

interface Chord {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly preventDefault: () => void;
}

/** Whether the keys were an answer. A question whose end was not in view yet is shown in place of being approved. */
export function answerByKeys(event: Chord): boolean {
  if (!event.ctrlKey && !event.metaKey) return false;
  const shortcut = Object.values(ANSWER_KEYS).find((name) => name === `Control+${event.key}`);
  const button = document.querySelector<HTMLButtonElement>(`.approval button[aria-keyshortcuts="${shortcut}"]`);
  if (shortcut === undefined || button === null) return false;
  event.preventDefault();
  if (button.disabled) button.closest('.approval')?.querySelector<HTMLElement>('.asked')?.focus();
  else button.click();
  return true;
}

import { useEffect } from 'react';

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

interface Shortcut {
  readonly keys: string;
  readonly does: string;
  readonly isPressed: (event: Pressed, isTyping: boolean) => boolean;
}

/** On every part of the page, but not over an open dialog. */
export const SHORTCUTS = {
  search: {
    keys: 'Ctrl + K',
    does: 'Search chats',
    isPressed: (event) => isWithCtrl(event) && !event.shiftKey && event.key.toLowerCase() === 'k',
  },
  newChat: {
    keys: 'Ctrl + Shift + O',
    does: 'New chat',
    isPressed: (event) => isWithCtrl(event) && event.shiftKey && event.key.toLowerCase() === 'o',
  },
  settings: {
    keys: 'Ctrl + ,',
    does: 'Settings',
    isPressed: (event) => isWithCtrl(event) && event.key === ',',
  },
  message: {
    keys: 'Shift + Esc',
    does: 'Go to the message box',
    isPressed: ({ key, shiftKey }) => shiftKey && key === 'Escape',
  },
  help: {
    keys: '? or Ctrl + /',
    does: 'Show these shortcuts',
    isPressed: (event, isTyping) => (event.key === '?' && !isTyping) || (isWithCtrl(event) && event.key === '/'),
  },
} as const satisfies Record<string, Shortcut>;

export type ShortcutName = keyof typeof SHORTCUTS;

/** On a Mac it is the command key. */
function isWithCtrl({ ctrlKey, metaKey, altKey }: Pressed): boolean {
  return (ctrlKey || metaKey) && !altKey;
}

export function shortcutOf(event: Pressed, isTyping: boolean): ShortcutName | undefined {
  const names = Object.keys(SHORTCUTS) as ShortcutName[];
  return names.find((name) => SHORTCUTS[name].isPressed(event, isTyping));
}

export function useShortcuts(actions: Readonly<Record<ShortcutName, () => void>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.isComposing || document.querySelector('dialog[open]') !== null) return;
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
      const name = shortcutOf(event, isTyping);
      if (name === undefined) return;
      event.preventDefault();
      actions[name]();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [actions]);
}

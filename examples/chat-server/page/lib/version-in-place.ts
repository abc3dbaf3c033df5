import { useLayoutEffect, useMemo, useRef } from 'react';

/** A version of a message that was asked for: where it is to stand, and what had the focus there. */
interface Held {
  readonly messageId: string;
  readonly top: number;
  readonly button: string;
}

export interface VersionInPlace {
  readonly hold: (messageId: string, from: HTMLElement) => void;
  /** Whether the messages that are shown have changed to that version. */
  readonly isShown: () => boolean;
}

/** Another version of a message stands where the first one stood, and its buttons keep the focus. */
export function useVersionInPlace(messages: readonly { readonly id: string }[], stay: () => void): VersionInPlace {
  const held = useRef<Held>(undefined);
  const shown = useRef<string>(undefined);
  useLayoutEffect(() => {
    const { messageId, top, button } = held.current ?? {};
    if (messageId === undefined || top === undefined || messages.every(({ id }) => id !== messageId)) return;
    const article = document.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`);
    held.current = undefined;
    shown.current = messageId;
    if (article === null) return;
    article.closest('.conversation')?.scrollBy({ top: article.getBoundingClientRect().top - top });
    const buttons = [...article.querySelectorAll<HTMLButtonElement>('.versions button')].filter(
      ({ disabled }) => !disabled,
    );
    (buttons.find((one) => one.ariaLabel === button) ?? buttons[0])?.focus({ preventScroll: true });
  }, [messages]);
  return useMemo(
    () => ({
      hold: (messageId, from) => {
        stay();
        const top = from.closest('article')?.getBoundingClientRect().top ?? 0;
        held.current = { messageId, top, button: from.ariaLabel ?? '' };
      },
      isShown: () => {
        const isNew = shown.current !== undefined;
        shown.current = undefined;
        return isNew;
      },
    }),
    [stay],
  );
}

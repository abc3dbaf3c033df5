import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

const NEAR_PX = 48;

/** Follows what is written at the bottom as long as the reader is there, and stays where they went otherwise. */
export function useStickToBottom(): {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtBottom: boolean;
  readonly jump: () => void;
  /** Follows no more, until the reader is at the bottom again. */
  readonly stay: () => void;
} {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const wanted = useRef(true);
  const [isAtBottom, setIsAtBottom] = useState(true);

  const jump = useCallback(() => {
    wanted.current = true;
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, []);

  const stay = useCallback(() => void (wanted.current = false), []);

  useEffect(() => {
    const [scroller, inner] = [box.current, content.current];
    if (scroller === null || inner === null) return undefined;
    let lastTop = scroller.scrollTop;
    const onScroll = (): void => {
      const gap = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
      // Growing content also changes the gap: only a reader who moves up leaves the bottom.
      if (gap <= NEAR_PX) wanted.current = true;
      else if (scroller.scrollTop < lastTop) wanted.current = false;
      lastTop = scroller.scrollTop;
      setIsAtBottom(gap <= NEAR_PX);
    };
    // What a reader opens shall stay where it is.
    const onOpen = ({ target }: Event): void => {
      if (target instanceof Element && target.closest('summary') !== null) wanted.current = false;
    };
    const observer = new ResizeObserver(() => {
      if (wanted.current) scroller.scrollTo({ top: scroller.scrollHeight });
      else onScroll();
      // Content that shrinks moves the view up by itself. Its scroll event comes when the content may have grown again.
      lastTop = scroller.scrollTop;
    });
    observer.observe(inner);
    observer.observe(scroller);
    inner.addEventListener('click', onOpen);
    scroller.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      inner.removeEventListener('click', onOpen);
      scroller.removeEventListener('scroll', onScroll);
    };
  }, []);

  return { box, content, isAtBottom, jump, stay };
}

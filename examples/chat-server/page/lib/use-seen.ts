import { type RefObject, useEffect, useRef, useState } from 'react';

/** Whether the element was in view once: inside of what scrolls, and on the screen. Without a way to know, it was not. */
export function useSeen<Target extends Element>(): readonly [target: RefObject<Target | null>, isSeen: boolean] {
  const target = useRef<Target>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (target.current === null || isSeen || typeof IntersectionObserver === 'undefined') return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(target.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return [target, isSeen];
}

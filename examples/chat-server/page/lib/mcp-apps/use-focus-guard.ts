import { type RefObject, useEffect, useRef } from 'react';

const FIELDS = 'textarea, input, select';
/** Keys that lead from one frame to another. */
const LEAVING = new Set(['Tab', 'F6']);
/** An app may want the focus when it appears. One that goes on taking it is after what is typed. */
const MAX_THEFTS = 3;
const POINTER_LAG_MS = 100;

/**
 * Gives the focus back to the field that it was taken from, if the person neither pointed at the frame nor left by a key.
 * `onThief` is called for a frame that goes on.
 */
export function useFocusGuard(frame: RefObject<HTMLIFrameElement | null>, onThief: () => void): void {
  const thief = useRef(onThief);
  thief.current = onThief;
  useEffect(() => {
    let field = fieldOf(document.activeElement);
    let isPointedAt = false;
    let thefts = 0;
    const onFocus = ({ target }: FocusEvent): void => {
      field = fieldOf(target);
    };
    const onKey = ({ key, target }: KeyboardEvent): void => {
      field = LEAVING.has(key) ? undefined : fieldOf(target);
      // The pointer may have been left lying there.
      if (field !== undefined) isPointedAt = false;
    };
    // A finger in the frame is not seen from here.
    const onPointer = ({ target, pointerType }: PointerEvent): void => {
      isPointedAt = target === frame.current || pointerType === 'touch';
    };
    const judge = (): void => {
      if (field === undefined || isPointedAt || document.activeElement !== frame.current) return;
      thefts += 1;
      if (thefts >= MAX_THEFTS) thief.current();
      field.focus();
    };
    // Where the pointer is may be told later than what it did.
    const onBlur = (): void => void setTimeout(judge, POINTER_LAG_MS);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('keydown', onKey, true);
    document.addEventListener('pointerover', onPointer, true);
    addEventListener('blur', onBlur);
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('keydown', onKey, true);
      document.removeEventListener('pointerover', onPointer, true);
      removeEventListener('blur', onBlur);
    };
  }, [frame]);
}

function fieldOf(target: EventTarget | null): HTMLElement | undefined {
  return target instanceof HTMLElement && target.matches(FIELDS) ? target : undefined;
}

import { generateId } from 'ai';
import { useCallback, useEffect, useState } from 'react';

/** Which chat is shown; a new one has its id from the beginning, and an address once it has a message. */
export interface Place {
  readonly sessionId: string;
  readonly isNew: boolean;
}

const CHAT_PATH = /^\/c\/([A-Za-z0-9_-]{1,64})$/;

export function pathOf(sessionId: string): string {
  return `/c/${sessionId}`;
}

export function usePlace(): {
  readonly place: Place;
  readonly open: (sessionId: string) => void;
  readonly openNew: () => void;
  /** The new chat is one of the others from now on. */
  readonly settle: () => void;
} {
  const [place, setPlace] = useState(placeNow);
  useEffect(() => {
    const onPop = (): void => setPlace(placeNow());
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, []);
  const go = useCallback((path: string, next: Place) => {
    if (location.pathname !== path) history.pushState(null, '', path);
    setPlace(next);
  }, []);
  return {
    place,
    open: useCallback((sessionId) => go(pathOf(sessionId), { sessionId, isNew: false }), [go]),
    openNew: useCallback(() => go('/', newPlace()), [go]),
    settle: useCallback(
      () =>
        setPlace((now) => {
          if (!now.isNew) return now;
          history.replaceState(null, '', pathOf(now.sessionId));
          return { ...now, isNew: false };
        }),
      [],
    ),
  };
}

function placeNow(): Place {
  const [, sessionId] = CHAT_PATH.exec(location.pathname) ?? [];
  return sessionId === undefined ? newPlace() : { sessionId, isNew: false };
}

function newPlace(): Place {
  return { sessionId: generateId(), isNew: true };
}

import { useCallback, useEffect, useRef, useState } from 'react';
import { api, ApiError } from './api.js';
import type { SessionItem, SessionList } from './api-types.js';

export interface Sessions {
  readonly items: readonly SessionItem[];
  readonly hasMore: boolean;
  /** The archived ones are listed, and no others. */
  readonly isArchive: boolean;
  readonly showArchive: (isArchive: boolean) => void;
  /** The server does not know this browser. */
  readonly isRefused: boolean;
  readonly refresh: () => void;
  readonly more: () => Promise<void>;
  readonly rename: (id: string, title: string) => Promise<void>;
  readonly mark: (id: string, marks: Partial<Pick<SessionItem, 'isPinned' | 'isArchived'>>) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

const PAGE = 30;
/** Turns end in other browsers too. */
const REFRESH_MS = 15_000;

export function useSessions(): Sessions {
  const [items, setItems] = useState<readonly SessionItem[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const [isRefused, setIsRefused] = useState(false);
  const [isArchive, setIsArchive] = useState(false);
  const shown = useRef(PAGE);
  const kind = isArchive ? '&archived=true' : '';

  const refresh = useCallback(() => {
    api<SessionList>('GET', `/api/sessions?limit=${shown.current}${kind}`).then(
      (list) => {
        setItems(list.items);
        setNext(list.next);
      },
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 401) setIsRefused(true);
      },
    );
  }, [kind]);

  const more = useCallback(async () => {
    if (next === null) return;
    const list = await api<SessionList>('GET', `/api/sessions?limit=${PAGE}${kind}&before=${encodeURIComponent(next)}`);
    shown.current += PAGE;
    setItems((all) => [...all, ...list.items]);
    setNext(list.next);
  }, [next, kind]);

  useEffect(() => {
    refresh();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') refresh();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [refresh]);

  const mark = useCallback<Sessions['mark']>(
    async (id, marks) => {
      await api('PATCH', `/api/sessions/${id}`, marks);
      refresh();
    },
    [refresh],
  );
  const rename = useCallback(
    async (id: string, title: string) => {
      await api('PATCH', `/api/sessions/${id}`, { title });
      refresh();
    },
    [refresh],
  );
  const remove = useCallback(
    async (id: string) => {
      await api('DELETE', `/api/sessions/${id}`);
      refresh();
    },
    [refresh],
  );
  const showArchive = useCallback((is: boolean) => {
    shown.current = PAGE;
    setIsArchive(is);
  }, []);
  const hasMore = next !== null;
  return { items, hasMore, isArchive, showArchive, isRefused, refresh, more, rename, mark, remove };
}

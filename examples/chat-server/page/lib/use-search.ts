import { useEffect, useState } from 'react';
import { api, sentenceOf } from './api.js';
import type { FoundItem, FoundList } from './api-types.js';

/** A person who types fast asks once. */
const PAUSE_MS = 80;

export interface Search {
  readonly items: readonly FoundItem[];
  /** What is shown belongs to an earlier query. */
  readonly isSearching: boolean;
  readonly problem: string | undefined;
}

const NOTHING: Search = { items: [], isSearching: false, problem: undefined };

/** Chats that have all words of the query. */
export function useSearch(query: string): Search {
  const [found, setFound] = useState(NOTHING);
  const wanted = query.trim();
  useEffect(() => {
    if (wanted === '') return setFound(NOTHING);
    let isOver = false;
    setFound((now) => ({ ...now, isSearching: true }));
    const timer = setTimeout(() => {
      api<FoundList>('GET', `/api/search?q=${encodeURIComponent(wanted)}`).then(
        ({ items }) => !isOver && setFound({ ...NOTHING, items }),
        (error: unknown) => !isOver && setFound({ ...NOTHING, problem: sentenceOf(error) }),
      );
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [wanted]);
  return found;
}

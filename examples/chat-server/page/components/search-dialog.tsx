import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { FoundItem, SessionItem } from '../lib/api-types.js';
import { ago } from '../lib/format.js';
import { markWords } from '../lib/mark-words.js';
import { useSearch } from '../lib/use-search.js';

interface SearchDialogProps {
  /** Shown while nothing is searched for. */
  readonly recent: readonly SessionItem[];
  readonly onOpen: (sessionId: string) => void;
  readonly onClose: () => void;
}

const MAX_RECENT = 8;
const MAX_QUERY = 200;

/** Chats by their words: arrows choose, Enter opens. */
export function SearchDialog({ recent, onOpen, onClose }: SearchDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const { items, isSearching, problem } = useSearch(query);
  const isEmpty = query.trim() === '';
  const shown: readonly FoundItem[] = isEmpty
    ? recent.slice(0, MAX_RECENT).map((item) => ({ ...item, excerpt: '' }))
    : items;
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    // Newer browsers answer with a promise, which React would take for a clean-up.
    document.getElementById(`found-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const open = (item: FoundItem | undefined): void => {
    if (item === undefined) return;
    dialog.current?.close();
    onOpen(item.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      setActive((at) => (at + step + shown.length) % shown.length);
    }
    // While a search runs, the list is that of the words before.
    if (event.key === 'Enter' && !event.nativeEvent.isComposing && (isEmpty || !isSearching)) open(shown[active]);
  };
  return (
    <dialog ref={dialog} className="search" aria-label="Search chats" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Search chats"
        aria-expanded={shown.length > 0}
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={shown.length > 0 ? `found-${active}` : undefined}
        placeholder="Search chats"
        maxLength={MAX_QUERY}
        value={query}
        autoFocus
        onChange={({ target }) => {
          setQuery(target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="found" role="listbox" aria-label="Chats found">
        {shown.map((item, at) => (
          <li key={item.id} id={`found-${at}`} role="option" aria-selected={at === active} onClick={() => open(item)}>
            <Marked text={item.title.trim() === '' ? 'New chat' : item.title} query={query} />
            <small>
              {item.isArchived && 'archived · '}
              {ago(item.updatedAt)}
            </small>
            {item.excerpt !== '' && (
              <p>
                <Marked text={item.excerpt} query={query} />
              </p>
            )}
          </li>
        ))}
      </ul>
      <p className="hint" aria-live="polite">
        {problem ?? hintOf({ isEmpty, isSearching, count: shown.length })}
      </p>
    </dialog>
  );
}

function hintOf({ isEmpty, isSearching, count }: { isEmpty: boolean; isSearching: boolean; count: number }): string {
  if (isEmpty) return count > 0 ? 'Recent chats' : 'No chats yet';
  if (isSearching) return 'Searching…';
  return count === 0 ? 'No chats found' : `${count} ${count === 1 ? 'chat' : 'chats'} found`;
}

function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  const pieces = markWords(text, query);
  return <span>{pieces.map((piece, at) => (piece.isFound ? <mark key={at}>{piece.text}</mark> : piece.text))}</span>;
}

import { useEffect, useMemo, useRef, useState } from 'react';
import { sentenceOf } from '../lib/api.js';
import type { SessionItem } from '../lib/api-types.js';
import { groupsOf } from '../lib/chat-groups.js';
import { exportChat, type ExportFormat } from '../lib/export-chat.js';
import type { Sessions } from '../lib/use-sessions.js';
import { ChatItem, titleOf } from './chat-item.js';
import { Icon } from './icon.js';

interface ChatListProps {
  readonly sessions: Sessions;
  readonly current: string | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
  readonly onNew: () => void;
  readonly onDeleted: (id: string) => void;
  readonly onSearch: () => void;
}

export function ChatList({ sessions, current, isOpen, onClose, onOpen, onNew, onDeleted, onSearch }: ChatListProps) {
  const [deleting, setDeleting] = useState<SessionItem>();
  const [problem, setProblem] = useState<string>();
  const first = useRef<HTMLButtonElement>(null);
  const groups = useMemo(() => groupsOf(sessions.items), [sessions.items]);
  const tryTo = (work: () => Promise<void>): void => {
    setProblem(undefined);
    work().catch((error: unknown) => setProblem(sentenceOf(error)));
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    first.current?.focus();
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') onClose();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOpen, onClose]);
  return (
    <>
      {isOpen && <div className="veil" onClick={onClose} />}
      <nav aria-label="Chats" className={isOpen ? 'chats open' : 'chats'}>
        <div className="chats-head">
          <span className="brand">{sessions.isArchive ? 'Archived' : 'Chats'}</span>
          <button ref={first} type="button" className="primary small" onClick={onNew}>
            <Icon name="plus" /> New chat
          </button>
        </div>
        <button type="button" className="search-open" onClick={onSearch}>
          <Icon name="search" /> Search chats <kbd>Ctrl K</kbd>
        </button>
        {problem !== undefined && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        {groups.map(({ name, items }) => (
          <div key={name} role="group" aria-label={name}>
            <h2>{name}</h2>
            <ul>
              {items.map((item) => (
                <ChatItem
                  key={item.id}
                  item={item}
                  isCurrent={item.id === current}
                  onOpen={onOpen}
                  onRename={(title) => sessions.rename(item.id, title)}
                  onMark={(marks) => tryTo(() => sessions.mark(item.id, marks))}
                  onExport={(format: ExportFormat) => tryTo(() => exportChat(item.id, format))}
                  onDelete={() => setDeleting(item)}
                />
              ))}
            </ul>
          </div>
        ))}
        {sessions.items.length === 0 && !sessions.isArchive && <p className="hint">Your chats will appear here.</p>}
        {sessions.hasMore && (
          <button type="button" className="quiet wide" onClick={() => void sessions.more()}>
            Older chats
          </button>
        )}
        {sessions.items.length === 0 && sessions.isArchive && <p className="hint">No archived chats.</p>}
        <button type="button" className="quiet small archive" onClick={() => sessions.showArchive(!sessions.isArchive)}>
          {sessions.isArchive ? 'Back to all chats' : 'Archived chats'}
        </button>
      </nav>
      {deleting && (
        <DeleteDialog
          title={titleOf(deleting)}
          onClose={() => setDeleting(undefined)}
          onDelete={async () => {
            await sessions.remove(deleting.id);
            onDeleted(deleting.id);
          }}
        />
      )}
    </>
  );
}

interface DeleteDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly onDelete: () => Promise<void>;
}

function DeleteDialog({ title, onClose, onDelete }: DeleteDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState<string>();
  useEffect(() => dialog.current?.showModal(), []);
  const remove = (): void => {
    onDelete().then(onClose, (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  };
  return (
    <dialog ref={dialog} aria-labelledby="delete-title" onClose={onClose}>
      <h2 id="delete-title">Delete “{title}”?</h2>
      <p>This also deletes its sub-agents’ messages and cannot be undone.</p>
      {problem !== undefined && <p className="problem">{problem}</p>}
      <div className="row end">
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button type="button" className="danger" onClick={remove}>
          Delete
        </button>
      </div>
    </dialog>
  );
}

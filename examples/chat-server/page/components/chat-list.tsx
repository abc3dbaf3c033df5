import { type FormEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import type { SessionItem } from '../lib/api-types.js';
import { ago } from '../lib/format.js';
import { pathOf } from '../lib/router.js';
import type { Sessions } from '../lib/use-sessions.js';
import { Icon } from './icon.js';

interface ChatListProps {
  readonly sessions: Sessions;
  readonly current: string | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
  readonly onNew: () => void;
  readonly onDeleted: (id: string) => void;
}

export function ChatList({ sessions, current, isOpen, onClose, onOpen, onNew, onDeleted }: ChatListProps) {
  const [deleting, setDeleting] = useState<SessionItem>();
  const first = useRef<HTMLButtonElement>(null);
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
          <span className="brand">Chats</span>
          <button ref={first} type="button" className="primary small" onClick={onNew}>
            <Icon name="plus" /> New chat
          </button>
        </div>
        <ul>
          {sessions.items.map((item) => (
            <ChatItem
              key={item.id}
              item={item}
              isCurrent={item.id === current}
              onOpen={onOpen}
              onRename={(title) => sessions.rename(item.id, title)}
              onDelete={() => setDeleting(item)}
            />
          ))}
        </ul>
        {sessions.items.length === 0 && <p className="hint">Your chats will appear here.</p>}
        {sessions.hasMore && (
          <button type="button" className="quiet wide" onClick={() => void sessions.more()}>
            Older chats
          </button>
        )}
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

interface ChatItemProps {
  readonly item: SessionItem;
  readonly isCurrent: boolean;
  readonly onOpen: (id: string) => void;
  readonly onRename: (title: string) => Promise<void>;
  readonly onDelete: () => void;
}

function ChatItem({ item, isCurrent, onOpen, onRename, onDelete }: ChatItemProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  const title = titleOf(item);
  if (isRenaming) {
    return (
      <li>
        <TitleForm title={item.title} onDone={() => setIsRenaming(false)} onRename={onRename} />
      </li>
    );
  }
  const open = (event: MouseEvent): void => {
    // With a modifier key the browser opens a tab of its own.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(item.id);
  };
  return (
    <li className={isCurrent ? 'chat-item current' : 'chat-item'}>
      <a href={pathOf(item.id)} onClick={open} aria-current={isCurrent ? 'page' : undefined} title={title}>
        <span className="chat-title">{title}</span>
        <span className="chat-facts">
          {item.running && <span className="badge live">working</span>}
          {item.pendingApprovals > 0 && <span className="badge ask">waiting for you</span>}
          {!item.running && item.pendingApprovals === 0 && <time dateTime={item.updatedAt}>{ago(item.updatedAt)}</time>}
        </span>
      </a>
      <span className="chat-actions">
        <button type="button" className="icon" aria-label={`Rename chat ${title}`} onClick={() => setIsRenaming(true)}>
          <Icon name="pencil" />
        </button>
        <button type="button" className="icon" aria-label={`Delete chat ${title}`} onClick={onDelete}>
          <Icon name="trash" />
        </button>
      </span>
    </li>
  );
}

interface TitleFormProps {
  readonly title: string;
  readonly onDone: () => void;
  readonly onRename: (title: string) => Promise<void>;
}

function TitleForm({ title, onDone, onRename }: TitleFormProps) {
  const [draft, setDraft] = useState(title);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = draft.trim();
    if (wanted === '' || wanted === title) return onDone();
    void onRename(wanted).finally(onDone);
  };
  return (
    <form className="rename" onSubmit={save}>
      <input
        aria-label="Title"
        value={draft}
        maxLength={200}
        autoFocus
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setDraft(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onDone();
        }}
      />
      <button type="submit" className="icon" aria-label="Save title">
        <Icon name="check" />
      </button>
    </form>
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

function titleOf({ title }: SessionItem): string {
  return title.trim() === '' ? 'New chat' : title;
}

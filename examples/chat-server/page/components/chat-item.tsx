import { type FormEvent, type MouseEvent, useState } from 'react';
import type { SessionItem } from '../lib/api-types.js';
import type { ExportFormat } from '../lib/export-chat.js';
import { ago } from '../lib/format.js';
import { pathOf } from '../lib/router.js';
import { ChatMenu, type MenuAction } from './chat-menu.js';
import { Icon } from './icon.js';

interface ChatItemProps {
  readonly item: SessionItem;
  readonly isCurrent: boolean;
  readonly onOpen: (id: string) => void;
  readonly onRename: (title: string) => Promise<void>;
  readonly onMark: (marks: Partial<Pick<SessionItem, 'isPinned' | 'isArchived'>>) => void;
  readonly onExport: (format: ExportFormat) => void;
  readonly onDelete: () => void;
}

/** A line: its title, what it waits for or how old it is, and a menu. */
export function ChatItem({ item, isCurrent, onOpen, onRename, onMark, onExport, onDelete }: ChatItemProps) {
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
  const { isPinned, isArchived } = item;
  const actions: readonly MenuAction[] = [
    ...(isArchived ? [] : [{ name: isPinned ? 'Unpin' : 'Pin', run: () => onMark({ isPinned: !isPinned }) }]),
    { name: 'Rename', run: () => setIsRenaming(true) },
    { name: isArchived ? 'Unarchive' : 'Archive', run: () => onMark({ isArchived: !isArchived }) },
    { name: 'Export as Markdown', run: () => onExport('markdown') },
    { name: 'Export as JSON', run: () => onExport('json') },
    { name: 'Delete', run: onDelete, isDanger: true },
  ];
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
        <ChatMenu title={title} actions={actions} />
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

export function titleOf({ title }: SessionItem): string {
  return title.trim() === '' ? 'New chat' : title;
}

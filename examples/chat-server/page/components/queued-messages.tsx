import type { QueuedMessage } from '../lib/message-queue.js';
import { Icon } from './icon.js';

interface QueuedMessagesProps {
  readonly items: readonly QueuedMessage[];
  /** A turn runs: none can be sent yet. */
  readonly isWorking: boolean;
  readonly onSend: (id: string) => void;
  readonly onEdit: (id: string) => void;
  readonly onRemove: (id: string) => void;
}

/** Messages that wait, over the message box. */
export function QueuedMessages({ items, isWorking, onSend, onEdit, onRemove }: QueuedMessagesProps) {
  if (items.length === 0) return null;
  return (
    <ul className="queued" aria-label="Queued messages">
      {items.map((item) => (
        <li key={item.id}>
          <span className="queued-text">{textOf(item)}</span>
          {!isWorking && (
            <button type="button" className="small" onClick={() => onSend(item.id)}>
              Send now
            </button>
          )}
          <button type="button" className="icon" aria-label="Edit queued message" onClick={() => onEdit(item.id)}>
            <Icon name="pencil" />
          </button>
          <button type="button" className="icon" aria-label="Remove queued message" onClick={() => onRemove(item.id)}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function textOf({ parts }: QueuedMessage): string {
  return parts
    .flatMap((part) => {
      if (part.type === 'text') return [part.text];
      return part.type === 'file' ? [part.filename ?? part.mediaType] : [];
    })
    .join(' · ');
}

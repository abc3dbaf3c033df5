import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { QueuedItem } from '../../src/types.js';
import { Icon } from './icon.js';
import { MessageEditor } from './message-editor.js';

export interface QueueActions {
  readonly edit: (id: string, text: string) => void;
  readonly remove: (id: string) => void;
  readonly sendNow: (id: string) => void;
}

interface QueuedMessagesProps {
  /** In the order in which the model will read them. */
  readonly items: readonly QueuedItem[];
  readonly isWorking: boolean;
  readonly actions: QueueActions;
  /** Where the keyboard goes when the control that had it is gone. */
  readonly onGone: () => void;
}

/** Messages that wait, over the message box. */
export function QueuedMessages({ items, isWorking, actions, onGone }: QueuedMessagesProps) {
  const [editedId, setEditedId] = useState<string>();
  if (items.length === 0) return null;
  return (
    <ul className="queued" aria-label="Queued messages">
      {items.map((item) =>
        item.id === editedId && item.state !== 'sending' ? (
          <li key={item.id}>
            <MessageEditor
              text={item.text}
              names={{ box: 'Edit queued message', submit: 'Save' }}
              onCancel={() => {
                setEditedId(undefined);
                onGone();
              }}
              onSend={(text) => {
                setEditedId(undefined);
                actions.edit(item.id, text);
                onGone();
              }}
            />
          </li>
        ) : (
          <Queued
            key={item.id}
            item={item}
            isWorking={isWorking}
            actions={actions}
            onEdit={() => setEditedId(item.id)}
            onGone={onGone}
          />
        ),
      )}
    </ul>
  );
}

interface QueuedProps extends Pick<QueuedMessagesProps, 'isWorking' | 'actions' | 'onGone'> {
  readonly item: QueuedItem;
  readonly onEdit: () => void;
}

const STATES: Readonly<Record<QueuedItem['state'], string | undefined>> = {
  waiting: undefined,
  held: 'On hold',
  steering: 'At the next step',
  sending: 'Sending',
};

function Queued({ item, isWorking, actions, onEdit, onGone }: QueuedProps) {
  const row = useFocusKeeper(onGone);
  const state = STATES[item.state];
  return (
    <li ref={row}>
      <span className="queued-text">
        {[item.text, ...item.files].filter((text) => text !== '').join(' · ')}
        {item.problem !== undefined && <span className="problem">Not sent: {item.problem}</span>}
      </span>
      {state !== undefined && <span className="badge">{state}</span>}
      {(item.state === 'waiting' || item.state === 'held') && (!isWorking || item.canSteer) && (
        <button
          type="button"
          className="small"
          title={isWorking ? 'The model reads it at its next step' : undefined}
          onClick={() => {
            actions.sendNow(item.id);
            onGone();
          }}
        >
          Send now
        </button>
      )}
      {item.state !== 'sending' && (
        <>
          <button type="button" className="icon" aria-label="Edit queued message" onClick={onEdit}>
            <Icon name="pencil" />
          </button>
          <button
            type="button"
            className="icon"
            aria-label="Remove queued message"
            onClick={() => actions.remove(item.id)}
          >
            <Icon name="close" />
          </button>
        </>
      )}
    </li>
  );
}

/** A row that goes while it has the focus hands it on. */
function useFocusKeeper(onGone: () => void): RefObject<HTMLLIElement | null> {
  const row = useRef<HTMLLIElement>(null);
  const handOn = useRef(onGone);
  handOn.current = onGone;
  // Before it leaves the page: behind that nothing has the focus.
  useLayoutEffect(() => {
    const element = row.current;
    return () => {
      if (element?.contains(document.activeElement) === true) handOn.current();
    };
  }, []);
  return row;
}

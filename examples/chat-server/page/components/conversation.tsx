import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { ChatMessage } from '../../src/types.js';
import type { SessionState } from '../lib/session-state.js';
import { isShowingWork } from '../lib/parts.js';
import { useStickToBottom } from '../lib/stick-to-bottom.js';
import { useVersionInPlace } from '../lib/version-in-place.js';
import { Icon } from './icon.js';
import { Message, type MessageActions } from './message.js';
import { Waiting } from './waiting.js';

interface ConversationProps {
  readonly sessionId: string;
  readonly messages: readonly ChatMessage[];
  readonly state: SessionState;
  readonly isWorking: boolean;
  /** The message whose plan is shown over the composer. */
  readonly planId: string | undefined;
  readonly actions: MessageActions;
  /** After the messages: what went wrong, what a command said. */
  readonly children: ReactNode;
}

/** A chat of a thousand messages is shown from its end; the rest is there when asked for. */
const SHOWN = 60;

export function Conversation({ sessionId, messages, state, isWorking, planId, actions, children }: ConversationProps) {
  const { box, content, isAtBottom, jump, stay } = useStickToBottom();
  const version = useVersionInPlace(messages, stay);
  const [shown, setShown] = useState(SHOWN);
  const stored = useMemo(() => new Map(state.stored?.messages.map((message) => [message.id, message])), [state.stored]);
  const hidden = Math.max(0, messages.length - shown);
  const last = messages.at(-1);
  const lastId = last?.id;
  const lastUserId = messages.findLast(({ role }) => role === 'user')?.id;
  const seenUserId = useRef(lastUserId);

  // What somebody has just sent is looked at, wherever they were.
  useEffect(() => {
    const isOtherVersion = version.isShown();
    if (seenUserId.current !== lastUserId && lastUserId === lastId && !isOtherVersion) jump();
    seenUserId.current = lastUserId;
  }, [lastUserId, lastId, jump, version]);

  const ownActions = useMemo<MessageActions>(
    () => ({
      ...actions,
      showBranch: (messageId, from) => {
        version.hold(messageId, from);
        actions.showBranch(messageId, from);
      },
    }),
    [actions, version],
  );

  return (
    <div className="conversation-frame">
      <div className="conversation" ref={box}>
        <div role="log" aria-label="Conversation" aria-busy={isWorking} className="log" ref={content}>
          {hidden > 0 && (
            <button type="button" className="quiet wide" onClick={() => setShown((count) => count + 2 * SHOWN)}>
              Show {Math.min(hidden, 2 * SHOWN)} earlier messages
            </button>
          )}
          {messages.slice(hidden).map((message) => {
            const isLast = message.id === lastId;
            return (
              <Message
                key={message.id}
                sessionId={sessionId}
                message={message}
                siblings={stored.get(message.id)?.siblings ?? NONE}
                isSummary={stored.get(message.id)?.messageKind === 'compact_summary'}
                isLive={isWorking && isLast && message.role === 'assistant'}
                isBusy={isWorking}
                isLast={isLast}
                agents={state.agents}
                progress={state.progress}
                isPlanBelow={planId === message.id}
                actions={ownActions}
              />
            );
          })}
          {isWorking && (last?.role !== 'assistant' || !isShowingWork(last)) && <Waiting retry={state.retry} />}
          {children}
        </div>
      </div>
      {!isAtBottom && (
        <button type="button" className="jump" onClick={jump}>
          <Icon name="down" /> Latest
        </button>
      )}
    </div>
  );
}

const NONE: readonly string[] = [];

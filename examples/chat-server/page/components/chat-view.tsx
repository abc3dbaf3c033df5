import { useChat } from '@ai-sdk/react';
import { useMemo, useSyncExternalStore } from 'react';
import type { ChatMessage, ChatPart, WhileRunning } from '../../src/types.js';
import { openAgentApprovals } from '../lib/agents.js';
import { editQueued, removeQueued, sendQueuedNow } from '../lib/chat-queue.js';
import type { ChatSession } from '../lib/chat-session.js';
import { shortUsageText, usageText } from '../lib/format.js';
import { toMessageBox } from '../lib/message-box.js';
import { openApprovals, openPlan } from '../lib/parts.js';
import type { SessionState } from '../lib/session-state.js';
import { DEMO_STARTERS, STARTERS } from '../lib/starters.js';
import { useAbout } from '../lib/use-about.js';
import type { Catalog } from '../lib/use-catalog.js';
import { Composer } from './composer.js';
import { Conversation } from './conversation.js';
import { Icon } from './icon.js';
import { MarkdownText } from './markdown.js';
import type { MessageActions } from './message.js';
import { Plan } from './plan.js';
import { Questions } from './questions.js';
import type { QueueActions } from './queued-messages.js';
import { StarterList, Welcome } from './welcome.js';
import { Loading } from './loading.js';

interface ChatViewProps {
  readonly session: ChatSession;
  readonly catalog: Catalog;
  readonly isNew: boolean;
  readonly isListOpen: boolean;
  readonly onList: () => void;
  readonly onNew: () => void;
  /** The first message went out: the chat has an address from now on. */
  readonly onSent: () => void;
  readonly onHelp: () => void;
  readonly onSettings: () => void;
}

export function ChatView({
  session,
  catalog,
  isNew,
  isListOpen,
  onList,
  onNew,
  onSent,
  onHelp,
  onSettings,
}: ChatViewProps) {
  const state = useSyncExternalStore(session.subscribe, session.state);
  const { messages, status, error } = useChat<ChatMessage>({ chat: session.chat, experimental_throttle: 40 });
  const isWorking = state.isBusy || status === 'submitted' || status === 'streaming';
  const statusText = statusOf({ messages, state, isWorking, error });
  const plan = openPlan(messages);
  const actions = useMemo(() => actionsOf(session), [session]);
  const queueActions = useMemo(() => queueActionsOf(session), [session]);
  const totalText = state.stored && usageText(state.stored.usage);
  const about = useAbout();
  const isEmpty = isNew && messages.length === 0;
  const send = (parts: ChatPart[], whileRunning?: WhileRunning): Promise<boolean> => {
    if (whileRunning !== undefined) return session.sendLater(parts, whileRunning);
    if (!isCommand(parts, catalog)) onSent();
    return session.send(parts);
  };
  return (
    <main className={isEmpty ? 'chat empty' : 'chat'}>
      <header className="chat-head">
        <button
          type="button"
          className="icon only-narrow"
          aria-label="Show chats"
          aria-expanded={isListOpen}
          onClick={onList}
        >
          <Icon name="list" />
        </button>
        <div className="chat-name">
          <h1>{titleOf(state, isNew)}</h1>
          {about && !isEmpty && (
            <p className="chat-folder" title={`The model works in ${about.folder}`}>
              {about.folder}
            </p>
          )}
        </div>
        {state.stored && totalText !== undefined && (
          <span className="usage total" title="All turns of this chat">
            <span className="only-wide">{totalText}</span>
            <span className="only-narrow">{shortUsageText(state.stored.usage)}</span>
          </span>
        )}
        <button type="button" className="icon" aria-label="Settings" title="Ctrl + ," onClick={onSettings}>
          <Icon name="settings" />
        </button>
        {!isListOpen && (
          <button type="button" className="icon only-narrow" aria-label="New chat" onClick={onNew}>
            <Icon name="plus" />
          </button>
        )}
      </header>
      <Conversation
        sessionId={session.id}
        messages={messages}
        state={state}
        isWorking={isWorking}
        planId={plan?.messageId}
        actions={actions}
      >
        {isEmpty && <Welcome about={about} />}
        <Questions sessionId={session.id} items={state.questions} />
        {state.aside !== undefined && (
          <div role="note" aria-label="Answer to a command" className="notice aside">
            <MarkdownText text={state.aside} />
            <button type="button" className="icon" aria-label="Dismiss" onClick={() => session.dismiss()}>
              <Icon name="close" />
            </button>
          </div>
        )}
        {state.isMissing && <p className="notice error">Chat not found. It may have been deleted.</p>}
        {!state.isLoaded && <Loading />}
        {error && <Failure error={error} messages={messages} onAgain={actions.regenerate} />}
        {state.notice && (
          <div className={`notice ${state.notice.kind}`} role="alert">
            <span className="notice-text">{state.notice.text}</span>
            <button type="button" className="icon" aria-label="Dismiss" onClick={() => session.dismiss()}>
              <Icon name="close" />
            </button>
          </div>
        )}
      </Conversation>
      <footer className="chat-foot">
        {state.connection.isLost && (
          <p className="lost" role="alert">
            Connection lost. Reconnecting in {Math.round(state.connection.retryInMs / 1000)} s.
          </p>
        )}
        {plan && <Plan items={plan.items} />}
        <Composer
          catalog={catalog}
          messages={messages}
          isWorking={isWorking}
          statusText={statusText}
          queued={state.queue}
          queueActions={queueActions}
          onSend={send}
          onStop={() => void session.stop()}
          onHelp={onHelp}
        />
        {isEmpty && about && (
          <StarterList
            starters={about.isDemo ? DEMO_STARTERS : STARTERS}
            onStart={(text) => {
              void send([{ type: 'text', text }]);
              // The button that had the focus is gone.
              toMessageBox();
            }}
          />
        )}
      </footer>
    </main>
  );
}

interface FailureProps {
  readonly error: Error;
  readonly messages: readonly ChatMessage[];
  readonly onAgain: (messageId: string) => void;
}

/** What is not in the conversation itself: the turn broke before the server could write it down. */
function Failure({ error, messages, onAgain }: FailureProps) {
  const answer = messages.at(-1);
  return (
    <div className="notice error" role="alert">
      <span className="notice-text">{error.message}</span>
      {answer?.role === 'assistant' && (
        <button type="button" onClick={() => onAgain(answer.id)}>
          Regenerate
        </button>
      )}
    </div>
  );
}

/** Its answer is not kept, so that it makes no chat. */
function isCommand([part]: readonly ChatPart[], { commands }: Catalog): boolean {
  const [word = ''] = part?.type === 'text' ? part.text.split(/\s/) : [];
  return !word.startsWith('/skill/') && commands.some(({ text }) => text === word);
}

function titleOf({ title, isMissing }: SessionState, isNew: boolean): string {
  if (isMissing) return 'Not found';
  return title === undefined || title.trim() === '' ? (isNew ? 'New chat' : 'Chat') : title;
}

function statusOf(facts: {
  readonly messages: readonly ChatMessage[];
  readonly state: SessionState;
  readonly isWorking: boolean;
  readonly error: Error | undefined;
}): string {
  const last = facts.messages.at(-1);
  const isAsked = openAgentApprovals(facts.state.agents).length > 0 || facts.state.questions.length > 0;
  if (isAsked || (!facts.isWorking && openApprovals(last).length > 0)) return 'waiting for you';
  if (facts.isWorking) return 'working';
  return facts.error !== undefined || last?.metadata?.error !== undefined ? 'error' : 'ready';
}

function actionsOf(session: ChatSession): MessageActions {
  return {
    edit: (messageId, parts) => void session.edit(messageId, parts),
    goOn: () => void session.send([{ type: 'text', text: 'Continue.' }]),
    regenerate: (messageId) => void session.regenerate(messageId),
    showBranch: (messageId) => void session.showBranch(messageId),
    answer: (answer) => void session.answer(answer),
    answerAgent: (toolCallId, answer) => void session.answerAgent(toolCallId, answer),
    continueAgent: (agentId) => void session.continueAgent(agentId),
  };
}

function queueActionsOf(session: ChatSession): QueueActions {
  const { id } = session;
  return {
    edit: (messageId, text) => void session.changeQueue(() => editQueued(id, messageId, text)),
    remove: (messageId) => void session.changeQueue(() => removeQueued(id, messageId)),
    sendNow: (messageId) => void session.changeQueue(() => sendQueuedNow(id, messageId)),
  };
}

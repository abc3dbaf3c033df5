import { memo, type ReactNode, useState } from 'react';
import type { ApprovalAnswer, ChatData, ChatMessage, ChatPart, UsageData } from '../../src/types.js';
import { type Agents, agentsOfCalls } from '../lib/agents.js';
import { costText } from '../lib/format.js';
import {
  isPlanUpdate,
  isToolPart,
  keysOfParts,
  type MessageTime,
  planIn,
  stringIn,
  textOf,
  type ToolPart,
} from '../lib/parts.js';
import { copyText } from '../lib/clipboard.js';
import { AgentCard, type AgentCardProps, hasEnded } from './agent-card.js';
import { Attachment } from './attachment.js';
import { Icon } from './icon.js';
import { MarkdownText } from './markdown.js';
import { MessageEditor } from './message-editor.js';
import { Plan } from './plan.js';
import { Sources } from './sources.js';
import { Thought } from './thought.js';
import { ToolCard } from './tool-card.js';

export interface MessageActions {
  readonly edit: (messageId: string, parts: ChatPart[]) => void;
  /** Another answer that goes on where this one was stopped. */
  readonly goOn: () => void;
  readonly regenerate: (messageId: string) => void;
  /** `from`: what is in its place now. */
  readonly showBranch: (messageId: string, from: HTMLElement) => void;
  readonly answer: (answer: ApprovalAnswer) => void;
  readonly answerAgent: AgentCardProps['onAnswer'];
  readonly continueAgent: NonNullable<AgentCardProps['onContinue']>;
}

interface MessageProps {
  readonly sessionId: string;
  readonly message: ChatMessage;
  /** The versions of this message, itself among them. */
  readonly siblings: readonly string[];
  /** It is being written at the moment. */
  readonly isLive: boolean;
  /** A turn runs somewhere in this chat: nothing else can be begun. */
  readonly isBusy: boolean;
  readonly isLast: boolean;
  /** It stands for what was said before it. */
  readonly isSummary: boolean;
  /** Its plan is shown over the composer. */
  readonly isPlanBelow: boolean;
  readonly agents: Agents;
  readonly progress: ReadonlyMap<string, ChatData['progress']>;
  readonly actions: MessageActions;
}

export const Message = memo(function Message(props: MessageProps) {
  const { message, isBusy, actions } = props;
  const [isEditing, setIsEditing] = useState(false);
  const isUser = message.role === 'user';
  const { error, isAborted, usage, elapsedMs } = message.metadata ?? {};
  const isCut = error !== undefined || isAborted === true;
  if (isEditing) {
    return (
      <article aria-label="You" className="message you">
        {/* The old version stays, on its own branch. */}
        <MessageEditor
          text={textOf(message)}
          onCancel={() => setIsEditing(false)}
          onSend={(text) => {
            setIsEditing(false);
            const others = message.parts.filter(({ type }) => type !== 'text');
            actions.edit(message.id, [...others, { type: 'text', text }]);
          }}
        />
      </article>
    );
  }
  return (
    <article
      aria-label={isUser ? 'You' : 'Assistant'}
      data-message={message.id}
      className={isUser ? 'message you' : 'message assistant'}
    >
      {props.isSummary && <p className="hint">Earlier messages were summarized:</p>}
      <MessageParts {...props} />
      <Ending {...props} />
      <div className="message-foot">
        <Versions {...props} />
        <CopyButton text={() => textOf(message)} />
        {isUser && (
          <button type="button" className="icon" aria-label="Edit" disabled={isBusy} onClick={() => setIsEditing(true)}>
            <Icon name="pencil" />
          </button>
        )}
        {!isUser && !props.isSummary && (
          <button
            type="button"
            className={isCut && props.isLast ? 'small' : 'icon'}
            aria-label="Regenerate"
            disabled={isBusy}
            onClick={() => actions.regenerate(message.id)}
          >
            <Icon name="again" /> {isCut && props.isLast && 'Regenerate'}
          </button>
        )}
        {isAborted === true && props.isLast && !waitsForAgents(props) && (
          <button type="button" className="small" disabled={isBusy} onClick={actions.goOn}>
            Continue
          </button>
        )}
        {usage && <Cost usage={usage} elapsedMs={elapsedMs} />}
      </div>
    </article>
  );
});

function MessageParts(props: MessageProps) {
  const { sessionId, message, isLive, isBusy, isLast, isPlanBelow, agents, progress, actions } = props;
  const calls = message.parts.filter(isToolPart);
  const plan = calls.findLast(isPlanUpdate);
  const agentOf = agentsOfCalls(calls, agents, message.id);
  const known = new Set([...agentOf.values()].map(({ agentId }) => agentId));
  // Those of sub-agents: while they work, and as long as they ask.
  const others = [...agents.values()].filter(
    (agent) => !known.has(agent.agentId) && !hasEnded(agent) && (isLive || agent.messageId === message.id),
  );
  const card = (agent: AgentCardProps['agent'], part?: ToolPart): ReactNode => (
    <AgentCard
      key={agent.agentId}
      {...{ sessionId, agent, part }}
      onAnswer={actions.answerAgent}
      onContinue={isBusy ? undefined : actions.continueAgent}
    />
  );
  // A page that was loaded later has not heard how it ended; the call has.
  const withSummary = (agent: AgentCardProps['agent'], output: unknown): AgentCardProps['agent'] =>
    agent.summary === undefined ? { ...agent, summary: stringIn(output, 'summary') } : agent;
  const inPlace = (agent: AgentCardProps['agent'], part: ToolPart): ReactNode => (
    <div key={part.toolCallId} role="group" aria-label="Tool subAgent" className="tool">
      {card(withSummary(agent, part.output), part)}
    </div>
  );
  const keys = keysOfParts(message.parts);
  return (
    <>
      {message.parts.map((part, at) => {
        // Said once, where it ended.
        if (part.type === 'text' && part.text === message.metadata?.error?.message) return null;
        if (!isToolPart(part)) {
          return (
            <PlainPart
              key={keys[at]}
              part={part}
              isUser={message.role === 'user'}
              isLive={isLive && at === message.parts.length - 1}
            />
          );
        }
        if (isPlanUpdate(part)) {
          return isPlanBelow || part !== plan ? null : <Plan key={part.toolCallId} items={planIn(message.parts)} />;
        }
        const agent = agentOf.get(part.toolCallId);
        // Its card has the state of the call, if its turn is over, too.
        if (agent && (!isLive || isOneCard(agent, part))) return inPlace(agent, part);
        return (
          <ToolCard
            key={part.toolCallId}
            sessionId={sessionId}
            part={part}
            time={timeOf(isLive, isLast)}
            progress={progress.get(part.toolCallId)}
            onAnswer={isLast && !isBusy ? actions.answer : undefined}
          >
            {agent && card(withSummary(agent, part.output))}
          </ToolCard>
        );
      })}
      {others.map((agent) => card(agent))}
      <Sources parts={message.parts} />
    </>
  );
}

/** Whether the card of the sub-agent stands for its call, too: what began and is not asked about, or has ended. */
function isOneCard(agent: AgentCardProps['agent'], part: ToolPart): boolean {
  if (hasEnded(agent)) return part.state.startsWith('output-');
  if (part.state === 'approval-responded') return part.approval.approved;
  return part.state === 'input-available' || part.state === 'output-available';
}

function timeOf(isLive: boolean, isLast: boolean): MessageTime {
  if (isLive) return 'live';
  return isLast ? 'last' : 'past';
}

function PlainPart({
  part,
  isUser,
  isLive,
}: {
  readonly part: ChatPart;
  readonly isUser: boolean;
  readonly isLive: boolean;
}) {
  switch (part.type) {
    case 'text':
      return isUser ? <p className="said">{part.text}</p> : <MarkdownText text={part.text} isLive={isLive} />;
    case 'reasoning':
      return part.text.trim() === '' ? null : <Thought part={part} isLive={isLive && part.state === 'streaming'} />;
    case 'file':
      return <Attachment {...part} isUser={isUser} />;
    case 'data-steered':
      return (
        <div role="note" aria-label="You, while it worked" className="steered">
          <p className="said">{part.data.text}</p>
        </div>
      );
    case 'data-skill':
      return <p className="badge skill">Skill: {part.data.name}</p>;
    default:
      return null;
  }
}

/** Its sub-agents can go on; another message would end them. */
function waitsForAgents({ message, agents }: MessageProps): boolean {
  return [...agents.values()].some(
    ({ messageId, state, canContinue }) => messageId === message.id && (canContinue || state === 'waiting'),
  );
}

interface CostProps {
  readonly usage: UsageData;
  readonly elapsedMs: number | undefined;
}

/** Tokens, as far as the server told of them, and time. They are shown on hover, focus and touch, and for a message that was stopped always. */
function Cost({ usage, elapsedMs }: CostProps) {
  return (
    <span className="usage cost" tabIndex={0}>
      {costText(usage, elapsedMs)}
    </span>
  );
}

/** How it ended, if not well. */
function Ending({ message: { metadata }, isLive }: MessageProps) {
  if (isLive) return null;
  if (metadata?.error) return <Problem text={metadata.error.message} />;
  return metadata?.isAborted === true ? <p className="hint">Stopped.</p> : null;
}

/** A code that stands behind the sentence of the server is told from it. */
function Problem({ text }: { readonly text: string }) {
  const found = / \((?<code>[a-z]+(?:_[a-z]+)+)\)/.exec(text);
  if (found === null) return <p className="problem">{text}</p>;
  return (
    <p className="problem">
      {text.slice(0, found.index)} <code>{found.groups?.['code']}</code>
      {text.slice(found.index + found[0].length)}
    </p>
  );
}

function Versions({ message, siblings, isBusy, actions }: MessageProps) {
  if (siblings.length < 2) return null;
  const at = siblings.indexOf(message.id);
  const step = (by: number, name: string, icon: 'left' | 'right'): ReactNode => {
    const target = siblings[at + by];
    return (
      <button
        type="button"
        className="icon"
        aria-label={name}
        disabled={isBusy || target === undefined}
        onClick={({ currentTarget }) => target !== undefined && actions.showBranch(target, currentTarget)}
      >
        <Icon name={icon} />
      </button>
    );
  };
  return (
    <span className="versions">
      {step(-1, 'Previous version', 'left')}
      <span>
        {at + 1} / {siblings.length}
      </span>
      {step(1, 'Next version', 'right')}
    </span>
  );
}

function CopyButton({ text }: { readonly text: () => string }) {
  const [isCopied, setIsCopied] = useState(false);
  return (
    <button
      type="button"
      className="icon"
      aria-label={isCopied ? 'Copied' : 'Copy'}
      onBlur={() => setIsCopied(false)}
      onClick={() => void copyText(text()).then(() => setIsCopied(true))}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
    </button>
  );
}

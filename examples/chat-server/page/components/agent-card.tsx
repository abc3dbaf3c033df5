import { memo, useState } from 'react';
import type { ApprovalAnswer, ChatMessage } from '../../src/types.js';
import type { AgentStep, AgentView } from '../lib/agents.js';
import { api, sentenceOf } from '../lib/api.js';
import type { ViewedMessage } from '../lib/api-types.js';
import { claimOf, lineOfCall, viewOfCall } from '../lib/call-views.js';
import { callOf, isToolPart, type ToolPart } from '../lib/parts.js';
import { ApprovalQuestion } from './approval-question.js';
import { Attachment } from './attachment.js';
import { CallBody, Claim } from './call-body.js';
import { Icon } from './icon.js';
import { MarkdownText } from './markdown.js';
import { ToolCard, ToolProgress } from './tool-card.js';

export interface AgentCardProps {
  readonly sessionId: string;
  readonly agent: AgentView;
  /** The call that began it, if nothing else shows it. */
  readonly part?: ToolPart | undefined;
  readonly onAnswer: (toolCallId: string, answer: Omit<ApprovalAnswer, 'id'>) => void;
  /** Absent while a turn runs. */
  readonly onContinue?: ((agentId: string) => void) | undefined;
}

const STATES: Readonly<Record<AgentView['state'], string>> = {
  waiting: 'waiting for you',
  running: 'running',
  done: 'done',
  failed: 'failed',
  aborted: 'stopped',
  interrupted: 'interrupted',
};

/** A sub-agent: what it was given, what it writes and does at the moment, what it asks. */
export const AgentCard = memo(function AgentCard({ sessionId, agent, part, onAnswer, onContinue }: AgentCardProps) {
  const { agentType, task, state, text, summary, steps, approvals, retry } = agent;
  const open = approvals.filter(({ answer }) => answer === 'open');
  // Its question shows the call, and that it waits.
  const shown = steps.filter(({ toolCallId }) => !open.some((asked) => asked.toolCallId === toolCallId));
  const said = (hasEnded(agent) ? (summary ?? text) : text).trim();
  const head = (
    <>
      <strong>{agentType === '' ? 'Sub-agent' : agentType}</strong>
      <span className="agent-task">{task}</span>
      <span className="tool-state">{open.length > 0 ? 'waiting for you' : STATES[state]}</span>
    </>
  );
  const body = (
    <>
      {part !== undefined && (
        <details className="agent-step">
          <summary>Assigned task</summary>
          <CallBody blocks={viewOfCall(callOf(part)).blocks} />
        </details>
      )}
      {shown.length > 0 && (
        <ul className="agent-steps">
          {shown.map((step) => (
            <li key={step.toolCallId} className={step.state}>
              <AgentStepLine step={step} />
            </li>
          ))}
        </ul>
      )}
      {said !== '' && <MarkdownText text={said} />}
      {retry && <p className="tool-remark" role="alert">{`Retrying (${retry.attempt} of ${retry.of})`}</p>}
      {approvals.map(({ toolCallId, toolName, input, isOwn, descriptor, answer }) => (
        <div key={toolCallId} role="group" aria-label={`Tool ${toolName}`} className="tool">
          {answer === 'open' ? (
            <ApprovalQuestion
              call={{ name: toolName, input, isOwn, descriptor }}
              onAnswer={(given) => onAnswer(toolCallId, given)}
              mayAlways
            />
          ) : (
            <p className="tool-remark">
              {toolName}: {answer}
            </p>
          )}
        </div>
      ))}
    </>
  );
  return (
    <section className={open.length > 0 ? 'agent asking' : `agent ${state}`} aria-label={`Sub-agent ${agentType}`}>
      {hasEnded(agent) ? (
        <details className="agent-line">
          <summary className="agent-head">
            <Icon name="right" />
            {head}
          </summary>
          <div className="agent-body">
            {body}
            <Transcript sessionId={sessionId} agentId={agent.agentId} />
          </div>
        </details>
      ) : (
        <>
          <p className="agent-head">{head}</p>
          {body}
        </>
      )}
      {agent.canContinue && onContinue && (
        <p className="row">
          <button type="button" onClick={() => onContinue(agent.agentId)}>
            Continue
          </button>
        </p>
      )}
    </section>
  );
});

/** Whether nothing more comes of it: it is one line then, which opens. */
export function hasEnded({ state }: AgentView): boolean {
  return state !== 'running' && state !== 'waiting';
}

/** What it runs, as it is shown of the chat's own calls; whole when it is opened. */
function AgentStepLine({ step: { toolName, state, call, progress } }: { readonly step: AgentStep }) {
  const view = viewOfCall(call);
  const claim = claimOf(view);
  return (
    <details className="agent-step">
      <summary>
        <code>{toolName}</code> <code>{lineOfCall(view)}</code> <small>{state}</small>
        {claim !== undefined && <Claim text={claim} />}
        {progress !== undefined && state === 'running' && <ToolProgress {...progress} />}
      </summary>
      <CallBody blocks={view.blocks.filter(({ kind }) => kind !== 'claim')} />
    </details>
  );
}

/** All that a sub-agent wrote and did, read when somebody wants to see it. */
function Transcript({ sessionId, agentId }: { readonly sessionId: string; readonly agentId: string }) {
  const [messages, setMessages] = useState<readonly ViewedMessage[]>();
  const [problem, setProblem] = useState<string>();
  const load = (): void => {
    const path = `/api/sessions/${sessionId}/agents/${encodeURIComponent(agentId)}/messages`;
    void api<readonly ViewedMessage[] | { readonly messages: readonly ViewedMessage[] }>('GET', path).then(
      (found) => setMessages('messages' in found ? found.messages : found),
      (error: unknown) => setProblem(sentenceOf(error)),
    );
  };
  return (
    <details className="transcript" onToggle={({ currentTarget }) => currentTarget.open && load()}>
      <summary>Show all steps</summary>
      {problem !== undefined && <p className="problem">{problem}</p>}
      {messages?.map(({ id, parts }) => (
        <div key={id}>
          {parts.map((part, at) => (
            <TranscriptPart key={at} part={part} />
          ))}
        </div>
      ))}
    </details>
  );
}

function TranscriptPart({ part }: { readonly part: ChatMessage['parts'][number] }) {
  if (isToolPart(part)) return <ToolCard part={part} time="past" />;
  if (part.type === 'file') return <Attachment {...part} isUser={false} />;
  return part.type === 'text' ? <MarkdownText text={part.text} /> : null;
}

import { memo, type ReactNode } from 'react';
import type { ApprovalAnswer, ChatData } from '../../src/types.js';
import { lineOfCall, claimOf, viewOfCall } from '../lib/call-views.js';
import { callOf, type MessageTime, planOf, readable, stringIn, type ToolPart, toolView } from '../lib/parts.js';
import { ApprovalQuestion } from './approval-question.js';
import { CallBody, Claim } from './call-body.js';
import { PlanList } from './plan.js';

export interface ToolCardProps {
  readonly part: ToolPart;
  readonly time: MessageTime;
  readonly progress?: ChatData['progress'] | undefined;
  /** Absent where the question cannot be answered any more. */
  readonly onAnswer?: ((answer: ApprovalAnswer) => void) | undefined;
  /** The sub-agent that the call began. */
  readonly children?: ReactNode;
}

/** One call. Closed: its name, what is being done, the command of a shell, its state. Open: what it got and gave. */
export const ToolCard = memo(function ToolCard({ part, time, progress, onAnswer, children }: ToolCardProps) {
  const { name, state, remark } = toolView(part, time);
  const call = callOf(part);
  const view = viewOfCall(call);
  const claim = claimOf(view);
  const { approval } = part;
  return (
    <div role="group" aria-label={`Tool ${name}`} className={`tool ${state.replaceAll(' ', '-')}`}>
      <details>
        <summary>
          <span className="tool-name">{name}</span>
          <code className="tool-command">{lineOfCall(view)}</code>
          {claim !== undefined && <Claim text={claim} />}
          <span className="tool-state">{state}</span>
        </summary>
        <div className="tool-body">
          {call.isOwn && name === 'updatePlan' && <PlanList items={planOf(part.input)} />}
          <CallBody blocks={view.blocks.filter(({ kind }) => kind !== 'claim')} />
          <ToolOutput isOwn={call.isOwn} name={name} part={part} />
        </div>
      </details>
      {remark !== undefined && remark !== '' && <p className="tool-remark">{remark}</p>}
      {progress !== undefined && state === 'running' && <ToolProgress {...progress} />}
      {part.state === 'approval-requested' && state === 'waiting for you' && approval && (
        <ApprovalQuestion
          key={approval.id}
          call={call}
          descriptor={'descriptor' in approval ? approval.descriptor : undefined}
          onAnswer={onAnswer && ((answer) => onAnswer({ id: approval.id, ...answer }))}
          mayAlways
        />
      )}
      {children}
    </div>
  );
});

function ToolProgress({ progress, total, message }: ChatData['progress']) {
  return (
    <p className="tool-progress">
      <progress aria-label="Progress" value={total === undefined ? undefined : progress} max={total} />
      <span>{message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`)}</span>
    </p>
  );
}

interface ToolOutputProps {
  readonly isOwn: boolean;
  readonly name: string;
  readonly part: ToolPart;
}

function ToolOutput({ isOwn, name, part }: ToolOutputProps) {
  if (part.state === 'output-error') return <Block label="Error" text={part.errorText} />;
  if (part.state !== 'output-available') return <Failed output={part.output} />;
  const { output } = part;
  // Of another's tool no member stands for all of them.
  if (!isOwn) return <Block label="Output" text={readable(output) || '(nothing)'} />;
  // What they did stands in what they got.
  if (['updatePlan', 'writeFile'].includes(name)) return <Failed output={output} />;
  const said = stringIn(output, 'output') ?? stringIn(output, 'content');
  const text = said ?? (stringIn(output, 'error') === undefined ? readable(output) : undefined);
  return (
    <>
      <Failed output={output} />
      {text !== undefined && <Block label="Output" text={text === '' ? '(nothing)' : text} />}
    </>
  );
}

function Failed({ output }: { readonly output: unknown }) {
  const error = stringIn(output, 'error');
  return error === undefined ? null : <Block label="Error" text={error} />;
}

/** Of what a tool gave. What it gets is never cut. */
const LONGEST = 20_000;

function Block({ label, text }: { readonly label: string; readonly text: string }) {
  const more = text.length - LONGEST;
  return (
    <figure className="block">
      <figcaption>{label}</figcaption>
      <pre tabIndex={0}>{more > 0 ? text.slice(0, LONGEST) : text}</pre>
      {more > 0 && <p className="hint">… and {more.toLocaleString('en')} more characters</p>}
    </figure>
  );
}

import { memo, type ReactNode } from 'react';
import type { ApprovalAnswer, ChatData } from '../../src/types.js';
import { firstLine, planOf, readable, stringIn, type ToolPart, toolView } from '../lib/parts.js';
import { ApprovalQuestion } from './approval-question.js';
import { Difference } from './difference.js';
import { PlanList } from './plan.js';

export interface ToolCardProps {
  readonly part: ToolPart;
  /** Its message is being written. */
  readonly isLive: boolean;
  readonly progress?: ChatData['progress'] | undefined;
  /** Absent where the question cannot be answered any more. */
  readonly onAnswer?: ((answer: ApprovalAnswer) => void) | undefined;
  /** The sub-agent that the call began. */
  readonly children?: ReactNode;
}

/** One call. Closed: its name, what is being done, the command of a shell, its state. Open: what it got and gave. */
export const ToolCard = memo(function ToolCard({ part, isLive, progress, onAnswer, children }: ToolCardProps) {
  const { name, actionName, command, state, remark } = toolView(part, isLive);
  const { approval } = part;
  return (
    <div role="group" aria-label={`Tool ${name}`} className={`tool ${state.replaceAll(' ', '-')}`}>
      <details>
        <summary>
          <span className="tool-name">{name}</span>
          <span className="tool-action">{actionName ?? command ?? shortInput(part.input)}</span>
          {actionName !== undefined && command !== undefined && <code className="tool-command">{command}</code>}
          <span className="tool-state">{state}</span>
        </summary>
        <div className="tool-body">
          <ToolInput name={name} input={part.input} />
          <ToolOutput name={name} part={part} />
        </div>
      </details>
      {remark !== undefined && remark !== '' && <p className="tool-remark">{remark}</p>}
      {progress !== undefined && state === 'running' && <ToolProgress {...progress} />}
      {part.state === 'approval-requested' && approval && (
        <ApprovalQuestion
          name={name}
          input={part.input}
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

/** What a call is about, in as much as fits on the line of its name. */
export function ToolInput({ name, input }: { readonly name: string; readonly input: unknown }) {
  const [command, path, content] = [stringIn(input, 'command'), stringIn(input, 'path'), stringIn(input, 'content')];
  if (name === 'updatePlan') return <PlanList items={planOf(input)} />;
  if (command !== undefined) return <Block label="Command" text={command} isCommand />;
  if (path !== undefined && content !== undefined) return <Difference path={path} text={content} isNew />;
  const text = readable(withoutActionName(input));
  return text === '' || text === '{}' ? null : <Block label="Input" text={text} />;
}

function ToolOutput({ name, part }: { readonly name: string; readonly part: ToolPart }) {
  if (part.state === 'output-error') return <Block label="Error" text={part.errorText} />;
  // What they did stands in what they got.
  if (part.state !== 'output-available' || ['updatePlan', 'writeFile'].includes(name))
    return <Failed output={part.output} />;
  const { output } = part;
  const diff = stringIn(output, 'diff');
  if (diff !== undefined) return <Difference path={stringIn(output, 'path') ?? ''} text={diff} />;
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

const LONGEST = 20_000;

function Block({
  label,
  text,
  isCommand = false,
}: {
  readonly label: string;
  readonly text: string;
  readonly isCommand?: boolean;
}) {
  const more = text.length - LONGEST;
  return (
    <figure className={isCommand ? 'block command' : 'block'}>
      <figcaption>{label}</figcaption>
      <pre tabIndex={0}>{more > 0 ? text.slice(0, LONGEST) : text}</pre>
      {more > 0 && <p className="hint">… and {more.toLocaleString('en')} more characters</p>}
    </figure>
  );
}

/** It is in the head of the card already. */
function withoutActionName(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input ?? '';
  const { actionName: _, ...rest } = input as Record<string, unknown>;
  return rest;
}

function shortInput(input: unknown): string {
  const said = withoutActionName(input);
  const text =
    typeof said === 'string'
      ? said
      : Object.values(said as object)
          .filter(isPlain)
          .join(' ');
  return firstLine(text);
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

import { memo, type ReactNode, useState } from 'react';
import type { ApprovalAnswer, ChatData } from '../../src/types.js';
import { lineOfCall, claimOf, viewOfCall } from '../lib/call-views.js';
import { callOf, type MessageTime, planOf, type ToolPart, toolView } from '../lib/parts.js';
import { ApprovalQuestion } from './approval-question.js';
import { CallBody, Claim } from './call-body.js';
import { Icon } from './icon.js';
import { OutputPictures } from './pictures.js';
import { PlanList } from './plan.js';
import { ToolApp } from './tool-app.js';
import { ToolOutput } from './tool-output.js';

export interface ToolCardProps {
  /** Absent where no app is shown. */
  readonly sessionId?: string | undefined;
  readonly part: ToolPart;
  readonly time: MessageTime;
  readonly progress?: ChatData['progress'] | undefined;
  /** Absent where the question cannot be answered any more. */
  readonly onAnswer?: ((answer: ApprovalAnswer) => void) | undefined;
  /** The sub-agent that the call began. */
  readonly children?: ReactNode;
}

/** One call. Closed: its name, what is being done, the command of a shell, its state. Open: what it got and gave. */
export const ToolCard = memo(function ToolCard({ sessionId, part, time, progress, onAnswer, children }: ToolCardProps) {
  const { name, state, remark } = toolView(part, time);
  const call = callOf(part);
  const view = viewOfCall(call);
  const claim = claimOf(view);
  const { approval } = part;
  const [isOpen, setIsOpen] = useState(false);
  const [isOpened, setIsOpened] = useState(false);
  return (
    <div role="group" aria-label={`Tool ${name}`} className={`tool ${state.replaceAll(' ', '-')}`}>
      <details
        onToggle={({ currentTarget }) => {
          setIsOpen(currentTarget.open);
          setIsOpened(true);
        }}
      >
        <summary aria-expanded={isOpen}>
          <Icon name="right" />
          <span className="tool-name">{name}</span>
          <code className="tool-command">{lineOfCall(view)}</code>
          {claim !== undefined && <Claim text={claim} />}
          <span className="tool-state">{state}</span>
        </summary>
        <div className="tool-body">
          {call.isOwn && name === 'updatePlan' && <PlanList items={planOf(part.input)} />}
          <CallBody blocks={view.blocks.filter(({ kind }) => kind !== 'claim')} />
          {isOpened && <ToolOutput part={part} place="details" />}
        </div>
      </details>
      <ToolOutput part={part} place="card" />
      <OutputPictures output={part.state === 'output-available' ? part.output : undefined} isOwn={call.isOwn} />
      {sessionId !== undefined && <ToolApp sessionId={sessionId} part={part} />}
      {remark !== undefined && remark !== '' && <p className="tool-remark">{remark}</p>}
      {progress !== undefined && state === 'running' && <ToolProgress {...progress} />}
      {part.state === 'approval-requested' && state === 'waiting for you' && approval && (
        <ApprovalQuestion
          key={approval.id}
          call={call}
          onAnswer={onAnswer && ((answer) => onAnswer({ id: approval.id, ...answer }))}
          mayAlways
        />
      )}
      {children}
    </div>
  );
});

export function ToolProgress({ progress, total, message }: ChatData['progress']) {
  return (
    <span className="tool-progress">
      <progress aria-label="Progress" value={total === undefined ? undefined : progress} max={total} />
      <span>{message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`)}</span>
    </span>
  );
}

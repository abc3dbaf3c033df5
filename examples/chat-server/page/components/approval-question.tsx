import { useState } from 'react';
import type { ApprovalAnswer } from '../../src/types.js';
import { asObject, stringIn } from '../lib/parts.js';
import { ToolInput } from './tool-card.js';

interface ApprovalQuestionProps {
  readonly name: string;
  readonly input: unknown;
  /** What the server says of the call: its class, why a person is asked, what "always" would allow. */
  readonly descriptor?: unknown;
  /** Absent where the question cannot be answered any more. */
  readonly onAnswer?: ((answer: Omit<ApprovalAnswer, 'id'>) => void) | undefined;
  readonly mayAlways?: boolean;
}

/** What is asked, with everything that is needed to answer. Nothing is answered by itself, and nothing takes the focus. */
export function ApprovalQuestion({ name, input, descriptor, onAnswer, mayAlways = false }: ApprovalQuestionProps) {
  const [reason, setReason] = useState('');
  const why = stringIn(descriptor, 'reason');
  const kind = stringIn(descriptor, 'class');
  const rule = stringIn(descriptor, 'rule');
  const isGrantable = mayAlways && asObject(descriptor)['always'] !== false;
  return (
    <div className="approval">
      <p className="approval-head">
        <strong>{name}</strong> waits for your answer{' '}
        {kind !== undefined && <span className={`badge ${kind === 'danger' ? 'danger' : 'ask'}`}>{kind}</span>}
      </p>
      {why !== undefined && <p className="hint">Why you are asked: {why}</p>}
      <ToolInput name={name} input={input} />
      {onAnswer && (
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            onAnswer({ approved: false, ...(reason.trim() !== '' && { reason: reason.trim() }) });
          }}
        >
          <button type="button" className="primary" onClick={() => onAnswer({ approved: true })}>
            Approve
          </button>
          {isGrantable && (
            <button
              type="button"
              title={rule === undefined ? undefined : `Allows: ${rule}`}
              onClick={() => onAnswer({ approved: true, always: true })}
            >
              Always in this chat
            </button>
          )}
          <button type="submit">Reject</button>
          <input
            className="reason"
            aria-label="Reason for a rejection"
            placeholder="Reason, if you reject"
            value={reason}
            maxLength={1000}
            onChange={({ target }) => setReason(target.value)}
          />
        </form>
      )}
      {isGrantable && rule !== undefined && <p className="hint">Always in this chat would allow: {rule}</p>}
    </div>
  );
}

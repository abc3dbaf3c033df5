import { spelledLine } from 'responses-loop-example-shared/call-view.js';
import { useId, useRef, useState } from 'react';
import type { ApprovalAnswer } from '../../src/types.js';
import { ANSWER_KEYS } from '../lib/answer-keys.js';
import { leaveQuestion } from '../lib/message-box.js';
import { labelOf, type ShownCall, viewOfCall } from '../lib/call-views.js';
import { asObject, stringIn } from '../lib/parts.js';
import { ruleInWords } from '../lib/rule-in-words.js';
import { useSeen } from '../lib/use-seen.js';
import { CallBody } from './call-body.js';

interface ApprovalQuestionProps {
  /** With what the server says of it: its class, why a person is asked, what "always" would allow, what changes. */
  readonly call: ShownCall;
  /** Absent where the question cannot be answered any more. */
  readonly onAnswer?: ((answer: Omit<ApprovalAnswer, 'id'>) => void) | undefined;
  readonly mayAlways?: boolean;
}

/**
 * What is asked, whole. Nothing is answered by itself, and nothing takes the focus. A yes is possible when the end of what
 * is asked was in view: what is long scrolls, by the keyboard too.
 */
export function ApprovalQuestion({ call, onAnswer, mayAlways = false }: ApprovalQuestionProps) {
  const [end, isSeen] = useSeen<HTMLDivElement>();
  const { descriptor } = call;
  const view = viewOfCall(call);
  const why = stringIn(descriptor, 'reason');
  const kind = stringIn(descriptor, 'class');
  const rule = stringIn(descriptor, 'rule');
  const isGrantable = mayAlways && asObject(descriptor)['always'] !== false;
  return (
    <div className="approval">
      <p className="approval-head">
        Allow <strong>{labelOf(call, view.head)}</strong>?{' '}
        {kind === 'danger' && <span className="badge danger">dangerous</span>}
      </p>
      {/* It scrolls, so the keyboard has to reach it. */}
      <div className="asked" role="region" aria-label={`All of ${view.head}`} tabIndex={0}>
        <CallBody blocks={view.blocks} />
        {why !== undefined && <p className="hint">Needs approval because {spelledLine(why)}.</p>}
        {isGrantable && rule !== undefined && (
          <p className="hint">“Always in this chat” will allow: {ruleInWords(rule)}</p>
        )}
        <div ref={end} className="asked-end" />
      </div>
      {onAnswer && <Answers {...{ onAnswer, isGrantable, isSeen }} />}
    </div>
  );
}

interface AnswersProps {
  readonly onAnswer: (answer: Omit<ApprovalAnswer, 'id'>) => void;
  readonly isGrantable: boolean;
  /** All that is asked could be seen. */
  readonly isSeen: boolean;
}

function Answers({ onAnswer, isGrantable, isSeen }: AnswersProps) {
  const [reason, setReason] = useState('');
  const hint = useId();
  const form = useRef<HTMLFormElement>(null);
  const answer: AnswersProps['onAnswer'] = (given) => {
    if (form.current !== null) leaveQuestion(form.current);
    onAnswer(given);
  };
  return (
    <form
      ref={form}
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        answer({ approved: false, ...(reason.trim() !== '' && { reason: reason.trim() }) });
      }}
    >
      <button
        type="button"
        className="primary"
        disabled={!isSeen}
        aria-describedby={hint}
        aria-keyshortcuts={ANSWER_KEYS.approve}
        title="Ctrl + Enter in an empty message box"
        onClick={() => answer({ approved: true })}
      >
        Approve
      </button>
      {isGrantable && (
        <button
          type="button"
          disabled={!isSeen}
          aria-describedby={hint}
          onClick={() => answer({ approved: true, always: true })}
        >
          Always in this chat
        </button>
      )}
      <button type="submit" aria-keyshortcuts={ANSWER_KEYS.reject} title="Ctrl + Backspace in an empty message box">
        Reject
      </button>
      <input
        className="reason"
        aria-label="Reason for a rejection"
        placeholder="Tell the model why (optional)"
        value={reason}
        maxLength={1000}
        onChange={({ target }) => setReason(target.value)}
      />
      <p id={hint} className="hint">
        {isSeen ? '' : 'Scroll to the end to approve.'}
      </p>
    </form>
  );
}

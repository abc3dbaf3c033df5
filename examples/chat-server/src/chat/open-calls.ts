import { isToolUIPart } from 'ai';
import type { ChatPart } from '../types.js';

type ToolPart = Extract<ChatPart, { toolCallId: string }>;

export const INTERRUPTED = 'interrupted: the call was cut off before its result was known, so it may have run or not.';
export const UNANSWERED = 'The person wrote something else instead of answering.';
const UNASKED = 'It did not run: the server ended before it could ask the person.';

/** A server refuses a call without an output, and a request without an answer. `isResumed`: the answers still count. */
export function settle(part: ToolPart, isResumed: boolean): ChatPart {
  if (part.state === 'input-available') return interrupted(part);
  if (part.state === 'approval-requested') return denied(part, UNANSWERED);
  if (part.state === 'approval-responded' && !isResumed) return afterAnswer(part);
  return part;
}

/**
 * What is left of an answer that was cut off. What had begun may have run, and does not run again; what was said behind the
 * last call is said again.
 */
export function settleCutOff(parts: readonly ChatPart[], staysOpen: (part: ToolPart) => boolean): ChatPart[] {
  // What the person said in between is kept, too.
  const last = parts.findLastIndex((part) => isToolUIPart(part) || part.type === 'data-steered');
  return parts.slice(0, last + 1).map((part) => {
    if (!isToolUIPart(part) || staysOpen(part)) return part;
    if (part.state === 'input-available') return interrupted(part);
    if (part.state === 'approval-requested') return denied(part, UNASKED);
    return part.state === 'approval-responded' ? afterAnswer(part) : part;
  });
}

function afterAnswer(part: Extract<ToolPart, { state: 'approval-responded' }>): ChatPart {
  return part.approval.approved ? interrupted(part) : denied(part, part.approval.reason);
}

function interrupted(part: ToolPart): ChatPart {
  return { ...part, state: 'output-error', errorText: INTERRUPTED } as ChatPart;
}

function denied(part: ToolPart, reason: string | undefined): ChatPart {
  return { ...part, state: 'output-denied', approval: { ...part.approval, approved: false, reason } } as ChatPart;
}

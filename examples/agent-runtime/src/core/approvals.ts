import type { ApprovalAnswer, ApprovalQuestion } from '../types/approvals.js';
import type { AdapterMessage, StoredMessage } from '../types/messages.js';
import { AgentError } from './agent-error.js';

const MAX_REASON_CHARS = 500;

/** The questions that nobody has answered yet, in the order they were asked. A message of the user takes them back. */
export function pendingApprovals(messages: readonly StoredMessage[]): ApprovalQuestion[] {
  const pending = new Map<string, ApprovalQuestion>();
  for (const { type, isToolUse, toolId, toolName = '', toolInput, metadata } of messages) {
    const { kind, approvalId = '' } = metadata ?? {};
    if (kind === 'approval_request')
      pending.set(approvalId, { approvalId, toolCallId: toolId ?? '', toolName, input: toolInput });
    else if (kind === 'approval_answer') pending.delete(approvalId);
    else if (type === 'tool' && isToolUse === false) {
      for (const question of pending.values()) if (question.toolCallId === toolId) pending.delete(question.approvalId);
    }
  }
  return [...pending.values()];
}

/** The ids of calls that wait: with a question that is open, or answered while another one is open. */
export function waitingCalls(messages: readonly StoredMessage[]): ReadonlySet<string> {
  if (pendingApprovals(messages).length === 0) return new Set();
  const waiting = new Set<string>();
  for (const { type, isToolUse, toolId = '', metadata } of messages) {
    if (metadata?.kind === 'approval_request') waiting.add(toolId);
    else if (type === 'tool' && isToolUse === false) waiting.delete(toolId);
  }
  return waiting;
}

/**
 * The rows of answers.
 *
 * @throws AgentError `no_such_approval`, if one answers no open question; then none is taken.
 */
export function answerRows(messages: readonly StoredMessage[], answers: readonly ApprovalAnswer[]): AdapterMessage[] {
  const open = new Map(pendingApprovals(messages).map((question) => [question.approvalId, question]));
  if (answers.length === 0) throw new AgentError('bad_message', 'The answer is missing.');
  return answers.map(({ approvalId, approved, reason }) => {
    const question = open.get(approvalId);
    if (question === undefined) {
      throw new AgentError('no_such_approval', `No call waits for the approval "${approvalId}".`);
    }
    open.delete(approvalId);
    return {
      type: 'system',
      content: approved ? 'approved' : `denied${reason === undefined ? '' : `: ${reason.slice(0, MAX_REASON_CHARS)}`}`,
      toolId: question.toolCallId,
      toolName: question.toolName,
      metadata: {
        kind: 'approval_answer',
        approvalId,
        approved,
        ...(reason === undefined ? {} : { reason: reason.slice(0, MAX_REASON_CHARS) }),
      },
    };
  });
}

import type { ApprovalAnswer } from '../types/approvals.js';
import type { MessageOptions } from '../types/driver.js';
import type { StoredMessage, UserMessage } from '../types/messages.js';
import { answerRows, pendingApprovals, waitingCalls } from './approvals.js';
import { asRead } from './as-read.js';
import type { ReadContent } from './content.js';
import { checkMessageId } from './message-id.js';
import { interruptedResult } from './open-calls.js';
import type { SessionRecord } from './session-record.js';

/** What an adapter is asked. */
export interface Prompt {
  readonly message: UserMessage;
  /** All rows before it. */
  readonly history: readonly StoredMessage[];
}

/** Writes down what starts a turn; `undefined` if there is nothing to ask yet. */
export type Prompting = () => Prompt | undefined;

/** Writes down what the user says. Calls that wait for an answer are taken back by it. */
export function hearWords(
  { transcript, facts, append }: SessionRecord,
  { row: draft, content }: ReadContent,
  { schema, id: messageId }: Pick<MessageOptions, 'schema' | 'id'>,
): Prompt {
  // Another process may have heard it meanwhile.
  checkMessageId(messageId, transcript.messages);
  for (const id of waitingCalls(transcript.held)) {
    const call = transcript.held.findLast(({ toolId, isToolUse }) => toolId === id && isToolUse === true);
    if (call !== undefined) append(interruptedResult(call));
  }
  const history = asRead(transcript.messages);
  const given = { ...(schema !== undefined && { schema }), ...(messageId !== undefined && { messageId }) };
  const metadata = Object.keys(given).length === 0 ? {} : { metadata: { ...draft.metadata, ...given } };
  const row = append({ ...draft, ...metadata }, transcript.lastTurn + 1);
  facts.hear(row);
  return { message: { id: row.id, content }, history };
}

/** Writes down answers to questions. The model goes on once there is one to each. */
export function hearAnswers(
  { transcript, append }: SessionRecord,
  answers: readonly ApprovalAnswer[],
): Prompt | undefined {
  for (const row of answerRows(transcript.held, answers)) append(row);
  if (pendingApprovals(transcript.held).length > 0) return undefined;
  return { message: { content: [] }, history: asRead(transcript.messages) };
}

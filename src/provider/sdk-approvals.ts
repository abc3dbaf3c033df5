import { asRecord, asRecords, asString } from '../util/guards.js';

/**
 * Whether the user has just allowed a call, by the messages that the AI SDK hands over. It reads answers in the last message
 * alone, so that no later call with the same id has them. It is the AI SDK's word: an app that takes messages from clients
 * checks them there.
 */
export function isAllowed(messages: readonly unknown[], callId: string): boolean {
  const asked = new Set<string | undefined>();
  for (const { type, toolCallId, approvalId } of asRecords(messages).flatMap(({ content }) => asRecords(content)))
    if (type === 'tool-approval-request' && toolCallId === callId) asked.add(asString(approvalId));
  const answers = asRecords(asRecord(messages.at(-1))?.['content']).filter(
    ({ type, approvalId }) => type === 'tool-approval-response' && asked.has(asString(approvalId)),
  );
  return answers.at(-1)?.['approved'] === true;
}

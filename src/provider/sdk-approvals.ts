import { asRecords, asString } from '../util/guards.js';

/**
 * Whether the user has allowed a call, by the messages that the AI SDK hands to its run. The last answer counts. It is the AI
 * SDK's word: an app that takes messages from clients checks them there.
 */
export function isAllowed(messages: readonly unknown[], callId: string): boolean {
  const parts = asRecords(messages).flatMap(({ content }) => asRecords(content));
  const asked = new Set<string | undefined>();
  for (const { type, toolCallId, approvalId } of parts)
    if (type === 'tool-approval-request' && toolCallId === callId) asked.add(asString(approvalId));
  const answers = parts.filter(
    ({ type, approvalId }) => type === 'tool-approval-response' && asked.has(asString(approvalId)),
  );
  return answers.at(-1)?.['approved'] === true;
}

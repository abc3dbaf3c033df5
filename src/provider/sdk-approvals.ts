import type { ToolArguments } from '../core/tool.js';
import { asRecord, asRecords } from '../util/guards.js';
import { stableJson } from '../util/json.js';

/**
 * Whether the user has allowed a call, by the messages that the AI SDK hands over. It runs what the last message answers;
 * an answer before that was for an earlier call, which may have had the same id. It is the AI SDK's word: an app that
 * takes messages from clients checks them there.
 */
export function isAllowed(messages: readonly unknown[], callId: string, args: ToolArguments): boolean {
  const last = asRecord(messages.at(-1));
  if (last?.['role'] !== 'tool') return false;
  const said = partsOf(last);
  const isOfCall = ({ toolCallId }: Part): boolean => toolCallId === callId;
  if (said.some((part) => part['type'] === 'tool-result' && isOfCall(part))) return false;
  const isRequest = (part: Part): boolean => part['type'] === 'tool-approval-request' && isOfCall(part);
  const asking = partsOf(messages.findLast((message) => partsOf(message).some(isRequest)));
  const asked = new Set(asking.filter(isRequest).map(({ approvalId }) => approvalId));
  const answer = said.findLast(({ type, approvalId }) => type === 'tool-approval-response' && asked.has(approvalId));
  if (answer?.['approved'] !== true) return false;
  // Of several calls with one id, nothing tells which of them the user was asked about.
  const calls = asking.filter((part) => part['type'] === 'tool-call' && isOfCall(part));
  const text = stableJson(args);
  return (
    calls.length > 0 && calls.every((call) => call['providerExecuted'] !== true && stableJson(call['input']) === text)
  );
}

type Part = Record<string, unknown>;

function partsOf(message: unknown): Part[] {
  return asRecords(asRecord(message)?.['content']);
}

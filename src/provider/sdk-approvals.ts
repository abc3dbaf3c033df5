import type { ToolArguments } from '../core/tool.js';
import { asRecord, asRecords } from '../util/guards.js';
import { stableJson } from '../util/json.js';

/**
 * Whether the user has allowed a call, by the AI SDK's messages. The AI SDK runs the calls that the last message
 * answers. Earlier answers belong to earlier calls, whose id may be the same. An app that accepts messages from clients
 * must check them itself.
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
  // If several calls share one id, the call in question is unknown.
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

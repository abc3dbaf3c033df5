import type { Approve } from 'responses-loop/v3';
import { currentAgentFrame, currentAppCall, getMessageInWork, isInContext } from '../context/request-context.js';
import type { ApprovalGate } from './gate.js';
import type { Verdict } from './verdict.js';

type McpCall = Parameters<Approve>[0];
type McpAnswer = ReturnType<Approve>;

/** `trust` of an entry of the MCP config: what such a server says of its tools counts. */
export function trustedServers(mcpServers: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const entries = Object.entries(mcpServers);
  return new Set(entries.filter(([, entry]) => isTrusted(entry)).map(([name]) => name));
}

/**
 * For the provider: at `'ask'` the stream of the chat, or of a sub-agent, stops; for an app the call waits for the answer. What
 * a grant allows, and all calls of a message that keeps its reads, run once the call is on disk.
 */
export function createMcpApprove(gate: ApprovalGate, trusted: ReadonlySet<string>): Approve {
  return async (call): Promise<Awaited<McpAnswer>> => {
    const appCall = currentAppCall();
    if (!isInContext() && appCall === undefined)
      return { approved: false, reason: 'there is no chat in which to ask a person' };
    const frame = appCall === undefined ? currentAgentFrame() : undefined;
    if (frame !== undefined && !frame.tools.includes(call.tool)) {
      return { approved: false, reason: `this agent was not given ${call.tool}` };
    }
    const own = judgeMcpCall(call, trusted);
    const verdict = await gate.settle(own, {
      kind: 'mcp',
      server: call.source,
      tool: call.originalName,
    });
    if (verdict.decision === 'refuse') return { approved: false, reason: verdict.reason };
    if (verdict.decision === 'ask') {
      const { callId: toolCallId, tool: toolName, arguments: input, signal } = call;
      if (appCall !== undefined) return gate.askForApp(appCall, { toolCallId, toolName, input, verdict, signal });
      gate.noteQuestion(toolCallId, verdict);
      return 'ask';
    }
    if (appCall !== undefined) return true;
    const message = getMessageInWork();
    if (own.decision === 'ask' || message.areReadsKept) await message.whenKept(call.callId, call.signal);
    return true;
  };
}

function judgeMcpCall(call: McpCall, trusted: ReadonlySet<string>): Verdict {
  const { source, originalName, readOnly } = call;
  if (readOnly && trusted.has(source)) return { decision: 'run' };
  const reason = readOnly
    ? `${source} claims to be read-only, but its server is not trusted`
    : `${source} is not marked as read-only`;
  return { decision: 'ask', reason, grant: { kind: 'mcp', server: source, tool: originalName } };
}

function isTrusted(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'trust' in entry && entry.trust === true;
}

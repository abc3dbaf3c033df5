import type { EventMessage } from '../protocol/events.js';
import { brief, say } from './say.js';

/** What is said on stderr also where only problems are wanted. */
export function isProblem({ type }: EventMessage): boolean {
  return type === 'error' || type === 'warning';
}

/** What a person wants to see on stderr while a task runs whose answer goes to stdout. */
export function showBeside({ type, data }: EventMessage): void {
  switch (type) {
    case 'session_configured':
      return say(`coder: session ${data.session_id}${data.resumed ? ' (resumed)' : ''}`);
    case 'tool_execution_begin':
      return say(`coder: ${data.shown ?? brief(data.title)}`);
    case 'approval_decision':
      return data.decision === 'denied'
        ? say(`coder: denied ${data.tool_name ?? data.call_id}: ${brief(data.reason ?? 'no reason given', 200)}`)
        : undefined;
    case 'mode_changed':
      return say(`coder: mode ${data.mode}, approval ${data.approval}`);
    case 'compaction_started':
      return say(`coder: summarizing the conversation (${data.tokens} tokens)`);
    case 'mcp_status':
      return data.state === 'failed' ? say(`coder: MCP server ${data.server}: ${data.message ?? 'failed'}`) : undefined;
    case 'warning':
    case 'error':
      return say(`coder: ${data.message}`);
    default:
      return undefined;
  }
}

import type { EventData } from '../protocol/events.js';

type Status = EventData<'mcp_status'>;

/** The last that is known of each MCP server. */
export class McpStatuses {
  readonly #known = new Map<string, Status>();

  add(status: Status): void {
    this.#known.set(status.server, status);
  }

  list(): readonly Status[] {
    return [...this.#known.values()];
  }
}

import type { LoopSettings } from 'responses-loop/v3';

/** Hands on what a person at the terminal should know of a provider's events. */
export function warnOfEvents(onWarning: (message: string) => void): NonNullable<LoopSettings['onEvent']> {
  return (event) => {
    if (event.type === 'mcp-error') onWarning(`MCP server ${event.server}: ${event.message}`);
    else if (event.type === 'warning') onWarning(event.message);
  };
}

import type { SwitchedOff } from '../types.js';

/** A call by who owns its tool, and by the name it has there. */
export type ToolOfCall = Exclude<SwitchedOff, { readonly kind: 'server' }>;

/** Where switches of a chat are read: anew for each call, since a person may turn one while a turn runs. */
export type ReadSwitches = (sessionId: string) => Promise<readonly SwitchedOff[]>;

/** Whether this tool, or the whole server it is of, is off. */
export function isOff(off: readonly SwitchedOff[], call: ToolOfCall): boolean {
  return off.some((one) => {
    if (one.kind === 'server') return call.kind === 'mcp' && call.server === one.server;
    if (one.kind === 'mcp') return call.kind === 'mcp' && call.server === one.server && call.tool === one.tool;
    return call.kind === 'tool' && call.tool === one.tool;
  });
}

/** For the model, which may try another way. */
export function offReason({ tool }: ToolOfCall): string {
  return `${tool} is switched off in this chat.`;
}

/** As far as a tool of an MCP server is listed. */
interface ListedTool {
  readonly name: string;
  readonly source: string;
  readonly originalName: string;
}

export function isListedOff(off: readonly SwitchedOff[], { source, originalName }: ListedTool): boolean {
  return isOff(off, { kind: 'mcp', server: source, tool: originalName });
}

/**
 * Names that a request may have for tools of MCP servers that are off. One that is called like a tool of the app has its
 * server in front there.
 */
export function namesOff(
  off: readonly SwitchedOff[],
  tools: readonly ListedTool[],
  appTools: readonly string[],
): Set<string> {
  const found = tools.filter((tool) => isListedOff(off, tool));
  return new Set(
    found.flatMap(({ name, source, originalName }) => {
      const withServer = `${source}__${originalName}`;
      return appTools.includes(name) ? [withServer] : [name, withServer];
    }),
  );
}

import type { ToolHead } from '../core/journal.js';
import type { LoopTool, Toolset } from '../tools/loop-tool.js';

/** What has to be known of the tools of a call to go on with it. */
export function toToolHeads({ tools }: Toolset): ToolHead[] {
  return tools.map(({ declaration, source, tool }) => ({
    name: declaration.name,
    source: source.key,
    tool: tool.name,
    ...(tool.readOnly && { readOnly: true as const }),
    ...(tool.idempotent === true && { idempotent: true as const }),
  }));
}

/**
 * The toolset of a call that began in another process: the same tools under the same names, with what they said of
 * themselves then. One that is gone is not declared any more, but its calls are no calls of an unknown tool. One that is new
 * has to wait for the next call.
 */
export function adoptTools(live: Toolset, recorded: readonly ToolHead[]): Toolset {
  const bySource = new Map(live.tools.map((tool) => [placeOf(tool.source.key, tool.tool.name), tool]));
  const tools: LoopTool[] = [];
  const byWireName = new Map<string, LoopTool>();
  for (const head of recorded) {
    const found = bySource.get(placeOf(head.source, head.tool));
    const tool = found === undefined ? missing(head) : renamed(found, head);
    byWireName.set(head.name, tool);
    if (found !== undefined) tools.push(tool);
  }
  return { ...live, tools, byWireName };
}

function placeOf(source: string, tool: string): string {
  return JSON.stringify([source, tool]);
}

function renamed(found: LoopTool, head: ToolHead): LoopTool {
  const { declaration, tool } = found;
  const { name } = head;
  const { readOnly, idempotent } = flagsOf(head);
  const isAsBefore = tool.readOnly === readOnly && (tool.idempotent === true) === idempotent;
  if (isAsBefore && declaration.name === name) return found;
  return {
    ...found,
    declaration: { ...declaration, name },
    // What decides the order of steps is as it was. An MCP server whose tool says something else now does not run it.
    tool: isAsBefore ? tool : Object.assign(Object.create(tool) as typeof tool, { readOnly, idempotent }),
  };
}

function missing(head: ToolHead): LoopTool {
  const { name, source, tool } = head;
  const inputSchema = { type: 'object', properties: {} };
  return {
    declaration: { name, inputSchema },
    // With `needsApproval`, so that what ran because the user allowed it is taken for that.
    tool: { name: tool, inputSchema, ...flagsOf(head), needsApproval: () => false },
    source: {
      key: source,
      list: async () => [],
      execute: async () => {
        throw new Error(`The tool "${name}" was there when the call began, and is not available now.`);
      },
      close: async () => {},
    },
  };
}

function flagsOf(head: ToolHead): { readonly readOnly: boolean; readonly idempotent: boolean } {
  return { readOnly: head.readOnly === true, idempotent: head.idempotent === true };
}

import type { ToolHead } from './journal.js';
import type { LoopTool, Toolset } from '../tools/loop-tool.js';

/** Returns the facts about a call's tools that continuing it needs. */
export function toToolHeads({ tools }: Toolset): ToolHead[] {
  return tools.map(({ declaration, source, tool }) => ({
    name: declaration.name,
    source: source.key,
    tool: tool.name,
    ...(source.kind === 'own' && { own: true as const }),
    ...(tool.readOnly && { readOnly: true as const }),
    ...(tool.idempotent === true && { idempotent: true as const }),
  }));
}

/**
 * Restores the toolset of a call that began in another process: the same tools under the same names. Their recorded
 * flags decide which steps exist; a tool counts as read-only only if it was and is. A removed tool is no longer
 * declared, but its calls are not calls of an unknown tool. A new one waits for the next call.
 */
export function adoptTools(live: Toolset, recorded: readonly ToolHead[]): Toolset {
  const bySource = new Map(live.tools.map((tool) => [placeOf(tool.source.key, tool.tool.name), tool]));
  const tools: LoopTool[] = [];
  const byWireName = new Map<string, LoopTool>();
  for (const head of recorded) {
    // The call itself decides whether it has them.
    const found = head.own === true ? undefined : bySource.get(placeOf(head.source, head.tool));
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
  const then = flagsOf(head);
  const now = { readOnly: tool.readOnly, idempotent: tool.idempotent === true };
  const isAsBefore = then.readOnly === now.readOnly && then.idempotent === now.idempotent;
  if (isAsBefore && declaration.name === name) return found;
  const renamedTool = { ...found, declaration: { ...declaration, name } };
  if (isAsBefore) return renamedTool;
  return {
    ...renamedTool,
    // The approver sees the present flags, limited to the recorded ones.
    tool: saying(tool, {
      readOnly: then.readOnly && now.readOnly,
      idempotent: then.idempotent && now.idempotent,
    }),
    // Steps are as recorded. An MCP server whose tool has changed does not run it.
    recorded: { mayRepeat: then.readOnly || then.idempotent, offered: saying(tool, then) },
  };
}

function saying(tool: LoopTool['tool'], flags: ReturnType<typeof flagsOf>): LoopTool['tool'] {
  return Object.assign(Object.create(tool) as typeof tool, flags);
}

function missing(head: ToolHead): LoopTool {
  const { name, source, tool } = head;
  const inputSchema = { type: 'object', properties: {} };
  return {
    declaration: { name, inputSchema },
    // It has no effect now, so its recorded flags suffice for the approver, and its result is kept. `needsApproval`
    // marks a call that ran because the user allowed it.
    tool: { name: tool, inputSchema, ...flagsOf(head), needsApproval: () => false },
    source: {
      key: source,
      ...(head.own === true && { kind: 'own' as const }),
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

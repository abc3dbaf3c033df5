import { defined } from '../../util/defined.js';
import { stableJson } from '../../util/json.js';
import type { SourceTool } from '../tool-source.js';
import { describeTool } from './tool-filter.js';
import type { McpSession } from './session.js';

const prints = new WeakMap<SourceTool, string>();

/** Identifies what a model or a user relies on. Servers shuffle members, so their order does not count. */
export function fingerprint(tool: SourceTool): string {
  let print = prints.get(tool);
  if (print === undefined)
    prints.set(tool, (print = textOf({ ...describeTool(tool), ...defined({ audience: tool.audience }) })));
  return print;
}

/** A value that is too deep to sort is used as it is. */
function textOf(value: unknown): string {
  try {
    return stableJson(value, withoutOrder);
  } catch {
    return JSON.stringify(value);
  }
}

/** The order of required names has no meaning. */
function withoutOrder(key: string, member: unknown): unknown {
  const isNames = key === 'required' && Array.isArray(member) && member.every((name) => typeof name === 'string');
  return isNames ? member.toSorted() : member;
}

/** The tool has changed since it was offered, so its approval is no longer valid. */
export class ToolChanged extends Error {}

/**
 * Checks that a tool is still the one that this call was offered. Lists again if the server announced a change. Silent
 * changes show at the next listing or after a reconnect.
 *
 * @throws ToolChanged
 */
export async function checkUnchanged(session: McpSession, offered: SourceTool | undefined): Promise<void> {
  if (offered === undefined) return;
  let isListed = true;
  // A second listing, because the first may have begun before a new change. A change during the second is ignored: else
  // a server that announces changes all the time could never be called.
  for (let times = 0; times < 2 && session.isStale; times += 1) {
    const { listings } = session;
    await session.refresh().catch(() => {});
    isListed = session.listings > listings;
  }
  if (session.isStale && !isListed)
    throw new ToolChanged(`${notRun(offered)} its server announced that its tools had changed, but did not list them.`);
  const current = session.tool(offered.name);
  if (current === offered) return;
  if (current === undefined) throw new ToolChanged(`${notRun(offered)} its server does not offer it any more.`);
  if (fingerprint(current) === fingerprint(offered)) return;
  const parts = changedParts(offered, current);
  throw new ToolChanged(
    `${notRun(offered)} its server changed it (${parts.join(', ')}) after it was offered. Earlier descriptions of it are no longer valid.`,
  );
}

function notRun({ name }: SourceTool): string {
  return `"${name}" was not run:`;
}

const PARTS: readonly (readonly [string, (tool: SourceTool) => unknown])[] = [
  ['its description', ({ title, description }) => [title, description]],
  ['its parameters', ({ inputSchema }) => inputSchema],
  [
    'what it says it does',
    ({ readOnly, destructive, idempotent, openWorld }) => [readOnly, destructive, idempotent, openWorld],
  ],
  ['who may call it', ({ audience }) => [audience]],
];

function changedParts(before: SourceTool, after: SourceTool): string[] {
  const differs = ([, read]: (typeof PARTS)[number]): boolean => textOf(read(before)) !== textOf(read(after));
  return PARTS.filter(differs).map(([name]) => name);
}

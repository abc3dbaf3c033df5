import type { Toolset } from '../../../src/tools/loop-tool.js';
import { createToolRegistry } from '../../../src/tools/create-tool-registry.js';
import type { LocalTool } from '../../acceptance/support/tools.js';

/** A toolset of functions that are found by search, unless they say otherwise. */
export function toolsetOf(tools: Readonly<Record<string, Partial<LocalTool>>>): Promise<Toolset> {
  const given = Object.entries(tools).map(([name, tool]): [string, LocalTool] => [
    name,
    { deferLoading: true, execute: () => 'done', ...tool },
  ]);
  return createToolRegistry({ tools: Object.fromEntries(given) }).toolset({ clientNames: [], nameClash: 'rename' });
}

export function namesOf({ tools }: Pick<Toolset, 'tools'>): string[] {
  return tools.map(({ declaration }) => declaration.name);
}

import type { OpeningCall, OpenTools, Toolset } from './loop-tool.js';

/** Returns the toolset with one more way to open tools. */
export function alsoOpening(toolset: Toolset, opens: OpenTools): Toolset {
  const { opens: others } = toolset;
  if (others === undefined) return { ...toolset, opens };
  return { ...toolset, opens: async (calls) => [...(await others(calls)), ...(await opens(calls))] };
}

/** Returns the toolset with what these calls open. The beginning of the list stays as it is, for the server's cache. */
export async function withOpened(toolset: Toolset, calls: readonly OpeningCall[]): Promise<Toolset> {
  const { opens, opened = [], tools, byWireName } = toolset;
  const found = (await opens?.(calls)) ?? [];
  const more = [...new Map(found.map((tool) => [tool.declaration.name, tool]))].filter(
    ([name]) => !byWireName.has(name),
  );
  if (more.length === 0) return toolset;
  const added = more.map(([, tool]) => tool);
  return {
    ...toolset,
    tools: [...tools, ...added],
    opened: [...opened, ...added],
    byWireName: new Map([...byWireName, ...more]),
  };
}

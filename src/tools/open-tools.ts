import type { LoopTool, OpeningCall, OpenTools, Toolset } from './loop-tool.js';

/** Returns the toolset with one more way to open tools. */
export function alsoOpening(toolset: Toolset, opens: OpenTools): Toolset {
  const { opens: others } = toolset;
  if (others === undefined) return { ...toolset, opens };
  return { ...toolset, opens: async (calls) => [...(await others(calls)), ...(await opens(calls))] };
}

/** Returns the toolset with what these calls open. */
export async function withOpened(toolset: Toolset, calls: readonly OpeningCall[]): Promise<Toolset> {
  return withMore(toolset, (await toolset.opens?.(calls)) ?? []);
}

/** Returns the toolset with its deferred tools of these names. */
export function withNamed(toolset: Toolset, names: readonly string[]): Toolset {
  const { keptBack } = toolset;
  if (keptBack === undefined) return toolset;
  return withMore(
    toolset,
    names.flatMap((name) => keptBack.byWireName.get(name) ?? []),
  );
}

/** Returns the toolset with further tools. The beginning of the list stays as it is, for the server's cache. */
export function withMore(toolset: Toolset, added: readonly LoopTool[]): Toolset {
  const { keptBack, opened = [], tools, byWireName } = toolset;
  const isFree = (name: string): boolean => {
    const there = byWireName.get(name);
    // A tool of this package in the record of an earlier attempt has a name, but no source.
    return there === undefined || (there.source.kind === 'own' && !tools.includes(there));
  };
  const more = [...new Map(added.map((tool) => [tool.declaration.name, tool]))].filter(([name]) => isFree(name));
  if (more.length === 0) return toolset;
  const names = new Set(more.map(([name]) => name));
  const rest = keptBack && new Map([...keptBack.byWireName].filter(([name]) => !names.has(name)));
  const last = more.map(([, tool]) => tool);
  return {
    ...toolset,
    tools: [...tools, ...last],
    opened: [...opened, ...last],
    byWireName: new Map([...byWireName, ...more]),
    ...(keptBack && rest && { keptBack: { ...keptBack, byWireName: rest } }),
  };
}

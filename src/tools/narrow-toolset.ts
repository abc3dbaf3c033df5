import type { Glob } from '../util/glob.js';
import type { LoopTool, Toolset } from './loop-tool.js';

/** A list of tools as patterns by their text. */
export type NamePatterns = ReadonlyMap<string, Glob>;

/**
 * Returns the toolset with only the tools whose names fit, and with this package's own tools. Names stay, because
 * histories and prompt caches contain them.
 */
export function narrowToolset(toolset: Toolset, fitsName: (name: string) => boolean): Toolset {
  const fits = (name: string, { source }: LoopTool): boolean => source.kind === 'own' || fitsName(name);
  const isWhole = [...toolset.byWireName].every(([name, tool]) => fits(name, tool));
  if (isWhole) return toolset;
  const tools = toolset.tools.filter((tool) => fits(tool.declaration.name, tool));
  const sources = new Set(tools.map(({ source }) => source.key));
  return {
    tools,
    byWireName: new Map([...toolset.byWireName].filter(([name, tool]) => fits(name, tool))),
    instructions: toolset.instructions.filter(({ source }) => sources.has(source)),
    warnings: toolset.warnings,
    ...(toolset.leftOut && { leftOut: toolset.leftOut }),
  };
}

/** Returns the toolset with the tools that fit each list, and a warning about each name that no tool has. */
export function chooseByNames(toolset: Toolset, lists: readonly NamePatterns[]): Toolset {
  const globs = lists.map((list) => [...list.values()]);
  const chosen = narrowToolset(toolset, (name) => globs.every((list) => list.some((fits) => fits(name))));
  const { knownNames } = toolset;
  if (knownNames === undefined) return chosen;
  const idle = lists.flatMap((list) => [...list].filter(([, fits]) => !knownNames.some(fits)).map(([text]) => text));
  if (idle.length === 0) return chosen;
  const warnings = [...new Set(idle)].map(
    (text) => `"toolNames" names "${text}", which is none of the tools there are: ${listed(knownNames)}.`,
  );
  return { ...chosen, warnings: [...chosen.warnings, ...warnings] };
}

/** How many tools a warning names. */
const MAX_NAMED = 30;

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  return names.length > MAX_NAMED ? `${names.slice(0, MAX_NAMED).join(', ')}, …` : names.join(', ');
}

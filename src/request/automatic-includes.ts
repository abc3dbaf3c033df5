import type { Profile } from '../core/profile.js';
import type { HostedTool } from '../core/tool.js';

const SEARCH_SOURCES = 'web_search_call.action.sources';

/** What hosted tools found is only told when asked for. */
const BY_TOOL: Readonly<Record<string, string>> = {
  web_search: SEARCH_SOURCES,
  web_search_preview: SEARCH_SOURCES,
  code_interpreter: 'code_interpreter_call.outputs',
};

/** `include` values nobody has to think of: sealed reasoning where the server keeps nothing, and results of hosted tools. */
export function automaticIncludes(
  profile: Profile,
  hosted: readonly HostedTool[],
  { stateless, searchSources }: { readonly stateless: boolean; readonly searchSources: boolean },
): string[] {
  const forTools = hosted.flatMap((tool) => (Object.hasOwn(BY_TOOL, tool.type) ? (BY_TOOL[tool.type] ?? []) : []));
  const wanted = searchSources ? forTools : forTools.filter((value) => value !== SEARCH_SOURCES);
  return [...(stateless ? profile.include : []), ...wanted];
}

import type { Profile } from '../core/profile.js';
import type { HostedTool } from '../core/tool.js';

/** What hosted tools found is only told when asked for. */
const BY_TOOL: Readonly<Record<string, string>> = {
  web_search: 'web_search_call.action.sources',
  web_search_preview: 'web_search_call.action.sources',
  code_interpreter: 'code_interpreter_call.outputs',
};

/** `include` values nobody has to think of: sealed reasoning where the server keeps nothing, and results of hosted tools. */
export function automaticIncludes(profile: Profile, hosted: readonly HostedTool[], stateless: boolean): string[] {
  const forTools = hosted.flatMap((tool) => (Object.hasOwn(BY_TOOL, tool.type) ? (BY_TOOL[tool.type] ?? []) : []));
  return [...(stateless ? profile.include : []), ...forTools];
}

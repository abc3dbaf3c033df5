import {
  callView,
  type CallView,
  type ChangedFile,
  type Hunk,
  type OwnView,
} from 'responses-loop-example-shared/call-view.js';

/** Tools of this program whose calls have a view of their own. */
const OWN_VIEWS: Readonly<Record<string, OwnView>> = {
  read: { subject: 'path' },
  list: { subject: 'path' },
  glob: { subject: 'pattern' },
  grep: { subject: 'pattern' },
  web_fetch: { subject: 'url' },
  bash: { command: 'command', claim: 'description' },
  present_plan: { command: 'plan' },
  explore: { subject: 'task' },
  exec_command: { command: 'cmd' },
  skill: { command: 'content' },
  command: { command: 'content' },
  apply_patch: { patch: 'patch' },
  write: { path: 'path', added: 'content' },
  edit: { path: 'path', added: 'new_string', removed: 'old_string', edits: 'edits' },
};

/** A call as events tell of it. */
export interface ToldCall {
  readonly tool_name: string;
  /** `local`, or the key of the MCP server. Questions in rollouts of earlier versions do not have it. */
  readonly source?: string | undefined;
  readonly arguments?: unknown;
  readonly hunks?: readonly Hunk[] | undefined;
  readonly files?: readonly ChangedFile[] | undefined;
}

/** What a person sees of a call: all of it. */
export function viewOfCall({ tool_name: tool, source, arguments: args, hunks, files }: ToldCall): CallView {
  const own = source === 'local' && Object.hasOwn(OWN_VIEWS, tool) ? OWN_VIEWS[tool] : undefined;
  return callView({ tool, source, arguments: args }, own, hunks && { hunks, files });
}

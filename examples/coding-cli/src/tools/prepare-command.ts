import { statSync } from 'node:fs';
import { cleanEnvironment, safeEnvironment } from 'responses-loop-example-shared/clean-environment.js';
import { classifyCommand } from 'responses-loop-example-shared/command-policy.js';
import { withSafeGit } from 'responses-loop-example-shared/safe-git.js';
import { type ToolContext, ToolError } from './context.js';

const MAX_TITLE_CHARS = 100;

/** A command as it is started. */
export interface PreparedCommand {
  readonly command: string;
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly sandbox: readonly string[];
}

/**
 * Prepares a command. What may run unasked is run so that nothing of the workspace has a say in it. Files and links may be
 * others by now than when it was judged: if nobody was asked then, and somebody has to be now, it does not run.
 */
export function prepareCommand(command: string, workdir: string | undefined, context: ToolContext): PreparedCommand {
  const { extra, judgeAgain, opened } = context;
  const cwd = folderOf(workdir, context);
  const place = { cwd, sandbox: extra.isolation.wrap(opened) };
  const verdict = judgeAgain?.();
  if (verdict !== undefined && verdict.outcome !== 'run') throw changed(verdict.reason);
  const { class: kind, plain, reason } = classifyCommand(command, { cwd, guard: extra.guard, home: extra.home });
  // It may have changed between these two looks as well.
  if (verdict?.class === 'safe' && kind !== 'safe') throw changed(reason);
  if (kind !== 'safe' || plain === undefined) return { ...place, command, env: cleanEnvironment(extra.env) };
  const env = safeEnvironment(extra.env, { cwd, guard: extra.guard });
  return { ...place, command: withSafeGit(command, plain), env };
}

function changed(reason: string): ToolError {
  return new ToolError(
    `The command did not run: it was not approved, and files have changed since it was judged. It now needs approval: ${reason}. Call it again.`,
  );
}

function folderOf(workdir: string | undefined, { cwd, extra }: ToolContext): string {
  const { path, problem } = extra.guard.resolve(workdir === undefined || workdir === '' ? '.' : workdir, cwd);
  const stat = problem === undefined ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (stat?.isDirectory() !== true) throw new ToolError(`workdir: there is no folder ${workdir ?? cwd}.`);
  return path;
}

export function titleOfCommand(command: string): string {
  const [line = ''] = command.trim().split('\n');
  return line.length > MAX_TITLE_CHARS ? `${line.slice(0, MAX_TITLE_CHARS - 1)}…` : line;
}

import { cleanEnvironment, safeEnvironment } from 'responses-loop-example-shared/clean-environment.js';
import { classifyCommand } from 'responses-loop-example-shared/command-policy.js';
import { withSafeGit } from 'responses-loop-example-shared/safe-git.js';
import type { ShellOptions } from './shell-command.js';
import type { WorkspaceFiles } from './workspace-files.js';

export interface PreparedCommand {
  readonly command: string;
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly sandbox?: readonly string[] | undefined;
}

/**
 * Prepares a command. What ran without a question starts nothing that the repository names. Files and links may be others by
 * now than when it was judged.
 *
 * @throws Error for the model, if a person has to be asked by now.
 */
export function prepareCommand(
  command: string,
  { root, guard }: WorkspaceFiles,
  { env, sandbox, isUnasked }: Pick<ShellOptions, 'env' | 'sandbox'> & { readonly isUnasked: boolean },
): PreparedCommand {
  const { class: kind, plain, reason } = classifyCommand(command, { cwd: root, guard });
  const isSafe = kind === 'safe' && plain !== undefined;
  if (isUnasked && !isSafe) throw new Error(`It did not run, because it now needs approval: ${reason}. Call it again.`);
  return {
    command: isSafe ? withSafeGit(command, plain) : command,
    cwd: root,
    env: isSafe ? safeEnvironment(env, { cwd: root, guard }) : cleanEnvironment(env),
    sandbox: sandbox?.wrap(),
  };
}

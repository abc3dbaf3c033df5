import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment, safeEnvironment } from 'responses-loop-example-shared/clean-environment.js';
import { classifyCommand } from 'responses-loop-example-shared/command-policy.js';
import { type CommandResult, runCommand } from 'responses-loop-example-shared/run-command.js';
import { withSafeGit } from 'responses-loop-example-shared/safe-git.js';
import { z } from 'zod';
import { type CodingTool, type ToolContext, ToolError } from './context.js';
import { OutputProgress } from './output-progress.js';

const TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
const MAX_TITLE_CHARS = 100;

const INPUT = z.object({
  command: z.string().min(1).describe('Shell command, for bash.'),
  timeout_ms: z
    .int()
    .min(1)
    .max(MAX_TIMEOUT_MS)
    .optional()
    .describe(`Time limit (default ${TIMEOUT_MS}, at most ${MAX_TIMEOUT_MS}).`),
  workdir: z.string().optional().describe('Folder to run in (default: the workspace).'),
  description: z.string().optional().describe('What it does, in a few words: the user sees it beside the command.'),
});

export const bash: CodingTool<typeof INPUT> = {
  name: 'bash',
  description:
    'Runs a command in bash, without a terminal or input. All that it starts ends with it. Answers with exit code and output.',
  inputSchema: INPUT,
  readOnly: false,
  timeoutMs: MAX_TIMEOUT_MS + 30_000,
  title: ({ command }) => firstLine(command),
  execute: async ({ command, timeout_ms: timeoutMs = TIMEOUT_MS, workdir }, context) => {
    const cwd = folderOf(workdir, context);
    const ready = prepared(command, cwd, context);
    const { extra, callId, signal, opened } = context;
    const progress = new OutputProgress((output) => extra.report({ type: 'output', output }));
    const result = await runCommand({
      ...ready,
      cwd,
      timeoutMs,
      signal,
      onOutput: (text) => progress.add(text),
      outputFile: fileFor(extra.outputsDir, callId),
      sandbox: extra.isolation.wrap(opened),
    }).finally(() => progress.end());
    extra.report({ type: 'exit', exitCode: result.exitCode, truncated: result.isTruncated });
    return resultText(result, timeoutMs);
  },
};

/**
 * What may run unasked is run so that nothing of the workspace has a say in it. Files and links may be others by now than when
 * it was judged: if nobody was asked then, and somebody has to be now, it does not run.
 */
function prepared(
  command: string,
  cwd: string,
  { extra, judgeAgain }: ToolContext,
): { readonly command: string; readonly env: Record<string, string> } {
  const verdict = judgeAgain?.();
  if (verdict !== undefined && verdict.outcome !== 'run') throw changed(verdict.reason);
  const { class: kind, plain, reason } = classifyCommand(command, { cwd, guard: extra.guard, home: extra.home });
  // It may have changed between these two looks as well.
  if (verdict?.class === 'safe' && kind !== 'safe') throw changed(reason);
  if (kind !== 'safe' || plain === undefined) return { command, env: cleanEnvironment(extra.env) };
  return { command: withSafeGit(command, plain), env: safeEnvironment(extra.env, { cwd, guard: extra.guard }) };
}

function changed(reason: string): ToolError {
  return new ToolError(
    `The command did not run: nobody was asked about it, and files changed since it was judged. Now somebody has to be asked: ${reason}. Call it again.`,
  );
}

function folderOf(workdir: string | undefined, { cwd, extra }: ToolContext): string {
  const { path, problem } = extra.guard.resolve(workdir === undefined || workdir === '' ? '.' : workdir, cwd);
  const stat = problem === undefined ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (stat?.isDirectory() !== true) throw new ToolError(`workdir: there is no folder ${workdir ?? cwd}.`);
  return path;
}

/** A disk that is full, or that nothing can be written to, does not keep commands from running. */
function fileFor(folder: string, callId: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return undefined;
  }
  return freeName(folder, callId);
}

/** Calls of one name, as some servers make them, have a file each. */
function freeName(folder: string, callId: string): string {
  const name =
    callId
      .replaceAll(/[^\w.-]/g, '_')
      .slice(0, 100)
      .replace(/^\.+/, '_') || '_';
  for (let count = 1; ; count += 1) {
    const path = join(folder, count === 1 ? `${name}.txt` : `${name}-${count}.txt`);
    if (!existsSync(path)) return path;
  }
}

function resultText({ exitCode, output, ended }: CommandResult, timeoutMs: number): string {
  const why = ended === 'timeout' ? ` (ended after ${timeoutMs} ms)` : ended === 'abort' ? ' (interrupted)' : '';
  return `exit code ${exitCode}${why}\n${output}`;
}

function firstLine(command: string): string {
  const [line = ''] = command.trim().split('\n');
  return line.length > MAX_TITLE_CHARS ? `${line.slice(0, MAX_TITLE_CHARS - 1)}…` : line;
}

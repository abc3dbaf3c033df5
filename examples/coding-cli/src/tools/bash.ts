import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, runCommand } from 'responses-loop-example-shared/run-command.js';
import { z } from 'zod';
import type { CodingTool } from './context.js';
import { OutputProgress } from './output-progress.js';
import { prepareCommand, titleOfCommand } from './prepare-command.js';

const TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;

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
  title: ({ command }) => titleOfCommand(command),
  execute: async ({ command, timeout_ms: timeoutMs = TIMEOUT_MS, workdir }, context) => {
    const { extra, callId, signal } = context;
    const progress = new OutputProgress((output) => extra.report({ type: 'output', output }));
    const result = await runCommand({
      ...prepareCommand(command, workdir, context),
      timeoutMs,
      signal,
      onOutput: (text) => progress.add(text),
      outputFile: fileFor(extra.outputsDir, callId),
    }).finally(() => progress.end());
    extra.report({ type: 'exit', exitCode: result.exitCode, truncated: result.isTruncated });
    return resultText(result, timeoutMs);
  },
};

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

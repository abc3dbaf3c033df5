import type { TerminalReport, TerminalWait } from 'responses-loop-example-shared/terminal-sessions.js';
import { z } from 'zod';
import { type ToolContext, ToolError } from './context.js';
import { OutputProgress } from './output-progress.js';

/** What a token is taken for, in characters. */
const TOKEN_CHARS = 4;
const TOKENS = 10_000;

/** Beyond the wait that the model asked for: a program that is stopped has 2 s to end. */
export const WAIT_MARGIN_MS = 30_000;

export const MAX_OUTPUT_TOKENS = z
  .int()
  .min(1)
  .max(25_000)
  .optional()
  .describe(`How much of the output to return: its head and its tail (default ${TOKENS} tokens).`);

interface Wanted {
  readonly yieldMs: number;
  readonly maxTokens: number | undefined;
}

/** Waits for a terminal, reports its output meanwhile, and answers as the model reads it. */
export async function inTerminal(
  { signal, extra }: ToolContext,
  { yieldMs, maxTokens = TOKENS }: Wanted,
  call: (wait: TerminalWait) => Promise<TerminalReport>,
): Promise<string> {
  const progress = new OutputProgress((output) => extra.report({ type: 'output', output }));
  const wait = { yieldMs, maxChars: maxTokens * TOKEN_CHARS, signal, onOutput: (text: string) => progress.add(text) };
  const report = await call(wait)
    .catch((error: unknown) => {
      throw new ToolError(error instanceof Error ? error.message : String(error));
    })
    .finally(() => progress.end());
  const { exitCode, isTruncated: truncated } = report;
  if (exitCode !== undefined) extra.report({ type: 'exit', exitCode, truncated });
  else if (truncated) extra.report({ type: 'truncated' });
  return textOf(report);
}

function textOf({ id, exitCode, output, isTruncated, totalChars, waitedMs }: TerminalReport): string {
  return [
    `Wall time: ${(waitedMs / 1000).toFixed(1)} seconds`,
    exitCode === undefined ? `Process running with session ID ${id}` : `Process exited with code ${exitCode}`,
    ...(isTruncated ? [`Original token count: ${Math.ceil(totalChars / TOKEN_CHARS)}`] : []),
    'Output:',
    output,
  ].join('\n');
}

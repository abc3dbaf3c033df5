import type { TerminalReport, TerminalWait } from 'responses-loop-example-shared/terminal-sessions.js';
import { z } from 'zod';
import type { ToolOutput } from './tool-def.js';

const MAX_CHARS = 40_000;

const MAX_YIELD_MS = 300_000;

export function yieldMs(standard: string) {
  const described = `How long to wait for output, in milliseconds. Default: ${standard}.`;
  return z.number().int().min(1).max(MAX_YIELD_MS).optional().describe(described);
}

export function waitOf(ms: number, signal: AbortSignal): TerminalWait {
  return { yieldMs: ms, maxChars: MAX_CHARS, signal };
}

export function answerOf({ id, exitCode, output, isTruncated }: TerminalReport, signal: AbortSignal): ToolOutput {
  const facts = { output, ...(isTruncated ? { isTruncated } : {}) };
  if (exitCode === undefined) return { ok: true, isRunning: true, sessionId: id, ...facts };
  if (signal.aborted) return { ok: false, error: 'It was stopped.', exitCode, ...facts };
  return exitCode === 0
    ? { ok: true, exitCode, ...facts }
    : { ok: false, error: `It ended with exit code ${exitCode}.`, exitCode, ...facts };
}

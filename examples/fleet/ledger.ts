import { existsSync, readFileSync } from 'node:fs';

export interface Effect {
  readonly tool: 'look' | 'put';
  readonly turn: string;
  readonly callId: string;
}

/** What tools really did. */
export function readLedger(file: string): readonly Effect[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Effect);
}

/** Runs of tools behind the first one of their call. */
export function repeated(effects: readonly Effect[]): readonly Effect[] {
  const seen = new Set<string>();
  return effects.filter(({ callId }) => seen.has(callId) || !seen.add(callId));
}

import { createResponsesProvider, type ResponsesProviderSettings, type ResponsesProviderV2 } from 'responses-loop';
import { onTestFinished } from 'vitest';

import { isRecord } from '../../../src/util/guards.js';

/**
 * Real llama.cpp servers, started by whoever runs these tests; see docs/tested-servers.md. The second one runs a model
 * that thinks. Without them the tests are skipped.
 */
export const LLAMA_URL = process.env['RESPONSES_LOOP_LLAMA_URL'];
export const THINKING_URL = process.env['RESPONSES_LOOP_LLAMA_THINK_URL'];

/** The name the tests' servers give their model. */
export const MODEL = process.env['RESPONSES_LOOP_LLAMA_MODEL'] ?? 'toy';

/** A toy model stumbles upon what a test wants to see with one seed or another: how many seeds to try. */
export const SEEDS = Array.from({ length: 40 }, (_, at) => at + 1);

export interface Llama {
  readonly provider: ResponsesProviderV2;
  /** Request bodies as they went out. */
  readonly bodies: Record<string, unknown>[];
  /** Names of the tools that ran. */
  readonly ran: string[];
}

export function llama(baseURL: string | undefined, settings: ResponsesProviderSettings = {}): Llama {
  if (baseURL === undefined) throw new Error('no server');
  const bodies: Record<string, unknown>[] = [];
  const ran: string[] = [];
  const provider = createResponsesProvider({
    baseURL,
    backend: 'llamacpp',
    onEvent: (event) => {
      if (event.type === 'request' && isRecord(event.body)) bodies.push(event.body);
      if (event.type === 'tool-end') ran.push(event.tool);
    },
    ...settings,
  });
  onTestFinished(() => provider.close());
  return { provider, bodies, ran };
}

/** Input items in short, by type, and by role where it is a message. */
export function inputOf(body: Record<string, unknown> | undefined): string[] {
  const input = body?.['input'];
  return Array.isArray(input) ? input.filter(isRecord).map((item) => String(item['role'] ?? item['type'])) : [];
}

/** How many calls each round of a finished call made. */
export function callsPerRound(metadata: unknown): number[] {
  const own = isRecord(metadata) ? metadata['responses-loop'] : undefined;
  const rounds = isRecord(own) && Array.isArray(own['rounds']) ? own['rounds'].filter(isRecord) : [];
  return rounds.map((round) => (Array.isArray(round['calls']) ? round['calls'].length : 0));
}

interface Slot {
  readonly id_task: number;
  readonly is_processing: boolean;
  readonly n_prompt_tokens: number;
}

/** What llama.cpp is working on right now. */
export async function slotsOf(baseURL: string): Promise<Slot[]> {
  const response = await fetch(new URL('/slots', baseURL));
  return (await response.json()) as Slot[];
}

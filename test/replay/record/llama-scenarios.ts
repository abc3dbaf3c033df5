import type { RunningServer, Scenario } from './scenario.js';

/** Servers started by whoever records; see docs/tested-servers.md. */
const LLAMA_URL = process.env['RESPONSES_LOOP_LLAMA_URL'];
const THINKING_URL = process.env['RESPONSES_LOOP_LLAMA_THINK_URL'];

/** Recorded from llama.cpp with a toy model; the seeds stand in the requests. */
const PLAIN = [
  'no-tool',
  'llama-server-call-cut-short',
  'llama-server-function-call',
  'llama-server-json',
  'llama-server-json-function-call',
  'llama-server-max-output-tokens',
  'llama-server-parallel-calls',
];
/** From a model that thinks. */
const THINKING = ['llama-server-reasoning', 'llama-server-reasoning-calls'];

export const LLAMA_SCENARIOS: readonly Scenario[] = [
  ...PLAIN.map((name) => ({ name, open: () => askLlama(LLAMA_URL) })),
  ...THINKING.map((name) => ({ name, open: () => askLlama(THINKING_URL) })),
];

/** Somebody has to kill the server in mid-text. */
export const BY_HAND: readonly string[] = ['llama-server-killed'];

async function askLlama(baseURL: string | undefined): Promise<RunningServer | undefined> {
  if (baseURL === undefined) return undefined;
  const response = await fetch(new URL('/props', baseURL));
  const { build_info: build = 'unknown build' } = (await response.json()) as { build_info?: string };
  return { baseURL, source: `llama-server (llama.cpp ${build}) with a toy bigram model`, close: async () => {} };
}

import { processEnv } from '../util/process-env.js';

export interface Environment {
  readonly apiKey: string | undefined;
  readonly baseURL: string | undefined;
}

/** The variables the stock provider reads too. Nothing without a process, as in browsers and Workers; empty ones count as unset. */
export function readEnvironment(): Environment {
  return { apiKey: readVariable('OPENAI_API_KEY'), baseURL: readVariable('OPENAI_BASE_URL') };
}

/** What people write in a hurry. */
const OFF: ReadonlySet<string> = new Set(['off', 'false', 'no', '0']);

/** `RESPONSES_LOOP=off`: the one switch that turns this package off, wherever a stock provider stands by. */
export function isSwitchedOff(): boolean {
  return OFF.has(readVariable('RESPONSES_LOOP')?.trim().toLowerCase() ?? '');
}

function readVariable(name: string): string | undefined {
  const variable = processEnv()[name];
  return variable?.trim() === '' ? undefined : variable;
}

import { processEnv } from '../util/process-env.js';

export interface Environment {
  readonly apiKey: string | undefined;
  readonly baseURL: string | undefined;
}

/**
 * Reads variables that `@ai-sdk/openai` reads too. Empty ones count as unset. Browsers and Workers have no variables.
 */
export function readEnvironment(): Environment {
  return { apiKey: readVariable('OPENAI_API_KEY'), baseURL: readVariable('OPENAI_BASE_URL') };
}

/** Other spellings of "off". */
const OFF: ReadonlySet<string> = new Set(['off', 'false', 'no', '0']);

/** `RESPONSES_LOOP=off`: turns this package off if another provider can answer. */
export function isSwitchedOff(): boolean {
  return OFF.has(readVariable('RESPONSES_LOOP')?.trim().toLowerCase() ?? '');
}

function readVariable(name: string): string | undefined {
  const variable = processEnv()[name];
  return variable?.trim() === '' ? undefined : variable;
}

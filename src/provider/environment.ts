export interface Environment {
  readonly apiKey: string | undefined;
  readonly baseURL: string | undefined;
}

/** The variables the stock provider reads too. Nothing where there is no process, as in browsers and Workers; empty ones count as unset. */
export function readEnvironment(): Environment {
  const env = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};
  return { apiKey: valueOf(env['OPENAI_API_KEY']), baseURL: valueOf(env['OPENAI_BASE_URL']) };
}

function valueOf(variable: string | undefined): string | undefined {
  return variable?.trim() === '' ? undefined : variable;
}

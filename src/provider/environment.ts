/** The variables the stock provider reads too. Empty where there is no process, as in browsers and Workers. */
export function readEnvironment(): { readonly apiKey: string | undefined; readonly baseURL: string | undefined } {
  const env = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
  return { apiKey: env?.['OPENAI_API_KEY'], baseURL: env?.['OPENAI_BASE_URL'] };
}

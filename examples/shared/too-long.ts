/** How servers call a conversation that is longer than their model can hold: OpenAI, llama.cpp, LiteLLM. */
const TOO_LONG = new Set(['context_length_exceeded', 'exceed_context_size_error', 'context_window_exceeded']);

/** Whether an error of the package or of the AI SDK says so. */
export function isTooLong(error: unknown): boolean {
  const { serverCode, data, lastError } = asRecord(error);
  // The SDK's error about spent retries holds the last one.
  if (lastError !== undefined) return isTooLong(lastError);
  const { code, type } = asRecord(asRecord(data)['error']);
  return [serverCode, code, type].some((name) => typeof name === 'string' && TOO_LONG.has(name));
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

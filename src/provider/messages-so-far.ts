import type { MessageSoFar } from '../sdk/parts/collect-messages.js';

/**
 * Returns the output of an AI SDK stream (5, 6 or 7) as messages for the next call, also after an abort or an error,
 * when `result.response` rejects. Resolves when the stream has ended, and never rejects. Tools that were running are
 * marked as interrupted; calls that wait for approval or for the caller stay open. Calls with incomplete arguments are
 * omitted.
 *
 * @param fullStream `result.fullStream`, or its parts.
 *
 * @example
 * const result = streamText({ model, messages, abortSignal });
 * messages.push(...(await messagesSoFar(result.fullStream)));
 */
export async function messagesSoFar(fullStream: AsyncIterable<unknown> | Iterable<unknown>): Promise<MessageSoFar[]> {
  // Loaded here, so that only its users load it.
  return (await import('../sdk/parts/collect-messages.js')).collectMessages(fullStream);
}

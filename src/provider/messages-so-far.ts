import type { MessageSoFar } from '../sdk/parts/collect-messages.js';

/**
 * What a stream of the AI SDK (5, 6 or 7) has produced, as messages for the next call, also after an abort or an error, when
 * `result.response` rejects. Resolves when the stream has ended, and never rejects. Tools that were running are marked as
 * interrupted; calls that the user is asked about, and those a finished stream leaves to the caller, stay open. Calls whose
 * arguments were not complete are left out.
 *
 * @param fullStream `result.fullStream`, or the parts that came.
 *
 * @example
 * const result = streamText({ model, messages, abortSignal });
 * messages.push(...(await messagesSoFar(result.fullStream)));
 */
export async function messagesSoFar(fullStream: AsyncIterable<unknown> | Iterable<unknown>): Promise<MessageSoFar[]> {
  // Loaded here, so that only those who ask have it.
  return (await import('../sdk/parts/collect-messages.js')).collectMessages(fullStream);
}

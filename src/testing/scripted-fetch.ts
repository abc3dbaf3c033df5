import { FetchExchange } from './fetch-exchange.js';
import { Script, type ScriptOptions, type ScriptRecord } from './script.js';
import type { ScriptedStep } from './scripted-step.js';
import { readSentRequest } from './sent-request.js';

/** A `fetch` that answers from a script, and what can be asked about it. */
export type ScriptedFetch = typeof globalThis.fetch & ScriptRecord;

/**
 * A model that says what its script says, without a server or a port: the steps of {@link createScriptedServer} as a `fetch`
 * for `createResponsesProvider({ fetch })`. Any base URL will do.
 *
 * Broken and silent connections are played too: they fail as Node's `fetch` does. A silent one (`stall`) ends only when the
 * request is aborted.
 *
 * @param steps One step per request, in order.
 * @param options `otherwise` answers every request after the last step; without it such a request gets a 500 and
 *   `assertDone` throws.
 * @example
 * const fetch = scriptedFetch([
 *   responseEvents({ id: 'resp_1', output: [{ type: 'call', name: 'add', arguments: { a: 2, b: 3 } }] }),
 *   responseEvents({ id: 'resp_2', output: [{ type: 'text', text: 'It is 5.' }] }),
 * ]);
 * const provider = createResponsesProvider({ apiKey: 'test', fetch, tools });
 * // …
 * fetch.assertDone();
 */
export function scriptedFetch(
  steps: readonly ScriptedStep[],
  options: Omit<ScriptOptions, 'steps'> = {},
): ScriptedFetch {
  const script = new Script({ steps, ...options });
  return withRecord(fetchFrom(script), script);
}

/** Hands every request to a script. */
export function fetchFrom(script: Script): typeof globalThis.fetch {
  return async (input, init) => {
    const sent = readSentRequest(input, init);
    const exchange = new FetchExchange(sent, (await sent.text()) ?? '');
    void script.answer(exchange);
    return exchange.response;
  };
}

/** The same thing, with what can be asked about the script beside it. */
export function withRecord<T extends object>(target: T, record: ScriptRecord): T & ScriptRecord {
  const asked = {
    requests: record.requests,
    problems: record.problems,
    waitForRequest: (index: number) => record.waitForRequest(index),
    assertDone: () => record.assertDone(),
  };
  // As they are when somebody looks.
  return Object.defineProperty(Object.assign(target, asked), 'problems', { get: () => record.problems });
}

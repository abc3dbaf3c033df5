import { aFunction, anything, checkOptions, optional } from '../checks.js';
import { isForResponses } from './exchange.js';
import { FetchExchange } from './fetch-exchange.js';
import { Script, type ScriptOptions, type ScriptRecord } from './script.js';
import type { ScriptedStep } from './scripted-step.js';
import { readSentRequest } from './sent-request.js';

/** A `fetch` that answers from a script, and the record of its requests. */
export type ScriptedFetch = typeof globalThis.fetch & ScriptRecord;

/** Options of a scripted `fetch`. */
export interface ScriptedFetchOptions extends Omit<ScriptOptions, 'steps'> {
  /**
   * Sends requests that are not for the Responses endpoint, such as those to MCP servers.
   * @default they get a 404, and `assertDone` throws
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * A model that follows its script, without a server or a port: the steps of {@link createScriptedServer} as a `fetch`
 * for `createResponsesProvider({ fetch })`. Any base URL will do.
 *
 * Broken and silent connections are played too: they fail as Node's `fetch` does. A silent one (`stall`) ends only when the
 * request is aborted.
 *
 * @param steps One step per request, in order.
 * @param options `otherwise` answers every request after the last step; without it such a request gets a 417 and
 *   `assertDone` throws. `fetch` sends what is not for the model.
 * @throws TypeError naming the step that is none or the option that is unknown, and what belongs there. What a function gives is checked when it does.
 * @example
 * const fetch = scriptedFetch([
 *   { output: [{ type: 'call', name: 'add', arguments: { a: 2, b: 3 } }] },
 *   'It is 5.',
 *   errorReply({ status: 500 }),
 * ]);
 * const provider = createResponsesProvider({ apiKey: 'test', fetch, tools });
 * // …
 * fetch.assertDone();
 */
export function scriptedFetch(steps: readonly ScriptedStep[], options: ScriptedFetchOptions = {}): ScriptedFetch {
  if (!Array.isArray(steps)) throw new TypeError("scriptedFetch takes a list of steps, such as ['Hello.'].");
  checkOptions('scriptedFetch', options, { otherwise: anything, fetch: optional(aFunction) });
  const script = new Script({ steps, otherwise: options.otherwise });
  return withRecord(fetchFrom(script, options.fetch), script);
}

/** Sends every request to a script, or only those for the Responses endpoint if `others` sends the rest. */
export function fetchFrom(script: Script, others?: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const sent = readSentRequest(input, init);
    if (others !== undefined && !isForResponses(sent.method, sent.url.pathname)) return others(input, init);
    const exchange = new FetchExchange(sent, await sent.text());
    void script.answer(exchange);
    return exchange.response;
  };
}

/** Returns the target with the record of the script as its members. */
export function withRecord<T extends object>(target: T, record: ScriptRecord): T & ScriptRecord {
  const asked = {
    requests: record.requests,
    problems: record.problems,
    waitForRequest: (index: number) => record.waitForRequest(index),
    assertDone: () => record.assertDone(),
  };
  // Read each time, because the list may be replaced.
  return Object.defineProperty(Object.assign(target, asked), 'problems', { get: () => record.problems });
}

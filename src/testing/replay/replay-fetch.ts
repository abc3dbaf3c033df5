import { aFunction, optional, throwIf } from '../checks.js';
import type { Fixture } from '../fixture/fixture.js';
import { Script, type ScriptRecord } from '../script/script.js';
import { fetchFrom, withRecord } from '../script/scripted-fetch.js';
import { Replay, type ReplayOptions } from './replay.js';

/** A `fetch` that answers from a recording, and the record of its requests. */
export type ReplayFetch = typeof globalThis.fetch & ScriptRecord;

/** Options of a replay: its answers, and the treatment of other requests. */
export interface ReplayFetchOptions extends ReplayOptions {
  /**
   * Sends requests that are not for the Responses endpoint, such as those to MCP servers, which no recording holds.
   * @default they get a 404, and `assertDone` throws
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Replays a recorded conversation without a server: a `fetch` for `createResponsesProvider({ fetch })`. Each request is
 * compared with the recording; an unknown or additional request gets an error that lists the differences, and
 * `assertDone()` throws.
 *
 * @param fixture A directory, or what `readFixture` gave. A directory that is not there shows at the first request.
 * @throws TypeError when both `rechunk` and `timing: 'recorded'` are given, when `ignore` can never match, or for an unknown option.
 * @example
 * const fetch = replayFetch('fixtures/my-server');
 * const provider = createResponsesProvider({ baseURL, apiKey: 'test', fetch });
 * // … the calls that were recorded
 * fetch.assertDone();
 */
export function replayFetch(fixture: Fixture | string, options: ReplayFetchOptions = {}): ReplayFetch {
  const { fetch, ...others } = options;
  throwIf(optional(aFunction)(fetch, 'replay: options.fetch'));
  const replay = new Replay(fixture, others);
  const script = new Script({ otherwise: replay.answer });
  return withRecord(fetchFrom(script, fetch), replay.record(script));
}

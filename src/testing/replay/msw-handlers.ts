import type { Fixture } from '../fixture/fixture.js';
import type { ScriptRecord } from '../script/script.js';
import { withRecord } from '../script/scripted-fetch.js';
import { replayFetch } from './replay-fetch.js';
import type { ReplayOptions } from './replay.js';

/** The part of msw 2's `http` that is used. */
export interface MswHttp<Handler> {
  /** Makes a handler for POST requests to a path. */
  post(path: string, resolver: (info: { readonly request: Request }) => Promise<Response>): Handler;
}

/** Which requests the handlers of `msw` answer, and how. */
export interface MswHandlersOptions<Handler> extends ReplayOptions {
  /** `http` of `msw`: passed in, so that the handlers belong to your copy. */
  readonly http: MswHttp<Handler>;
  /**
   * The base URL your provider has, in any form that it takes.
   * @default any host and any path that ends in `/responses`
   */
  readonly baseURL?: string | undefined;
}

/**
 * Replays a recorded conversation through msw 2: handlers for `setupServer`, which can be asked what {@link replayFetch} can
 * be asked. Requests to other places are left to your own handlers.
 *
 * @param fixture A directory, or what `readFixture` gave.
 * @throws TypeError when both `rechunk` and `timing: 'recorded'` are given, when `ignore` can never match, or for an unknown option.
 * @example
 * import { http } from 'msw';
 *
 * const handlers = mswHandlers('fixtures/my-server', { http });
 * const server = setupServer(...handlers);
 * server.listen();
 * // … the calls that were recorded
 * handlers.assertDone();
 */
export function mswHandlers<Handler>(
  fixture: Fixture | string,
  { http, baseURL = '', ...options }: MswHandlersOptions<Handler>,
): Handler[] & ScriptRecord {
  const replay = replayFetch(fixture, options);
  const handler = http.post(pathOf(baseURL), async ({ request }) => {
    try {
      return await replay(request);
    } catch {
      // The recording has no answer, or the app has left.
      return Response.error();
    }
  });
  return withRecord([handler], replay);
}

/** Users may leave out what providers add: the scheme, the version. */
function pathOf(baseURL: string): string {
  const root = baseURL.replace(/#$/, '').replace(/\/*(?:\/responses)?\/*$/, '');
  const start = /^https?:\/\//i.test(root) || root === '' ? root : `*//${root}`;
  return `${start}*/responses`;
}

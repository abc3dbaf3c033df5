import type { Fixture } from '../fixture/fixture.js';
import { withRecord } from '../script/scripted-fetch.js';
import { createScriptedServer, type ScriptedServer } from '../script/scripted-server.js';
import { Replay, type ReplayOptions } from './replay.js';

/** A Responses server on loopback that repeats a recorded server's answers. */
export type ReplayServer = ScriptedServer;

/**
 * Replays a recorded conversation over real HTTP, on 127.0.0.1: like {@link replayFetch}, for clients that take no `fetch`
 * and for whole applications.
 *
 * @param fixture A directory, or what `readFixture` gave.
 * @throws FixtureError when the directory holds no fixture; TypeError when both `rechunk` and `timing: 'recorded'` are given, when `ignore` can never match, or for an unknown option.
 * @example
 * const server = await createReplayServer('fixtures/my-server');
 * const provider = createResponsesProvider({ baseURL: server.baseURL, apiKey: 'test' });
 * // … the calls that were recorded
 * server.assertDone();
 * await server.close();
 */
export async function createReplayServer(
  fixture: Fixture | string,
  options: ReplayOptions = {},
): Promise<ReplayServer> {
  const replay = new Replay(fixture, options);
  await replay.ready();
  const server = await createScriptedServer({ otherwise: replay.answer });
  const close = (): Promise<void> => server.close();
  return withRecord({ baseURL: server.baseURL, close, [Symbol.asyncDispose]: close }, replay.record(server));
}

import type { Fixture } from './fixture.js';
import { type DeliveryOptions, roundReply } from './replay/round-reply.js';
import type { BytesReply } from './scripted-step.js';

/**
 * A fixture as a script: each round answers one request, byte for byte, with the recorded status, headers and ending. What
 * is asked is not looked at; {@link replayFetch} and {@link createReplayServer} do.
 *
 * @example
 * const server = await createScriptedServer({ steps: fixtureSteps(await readFixture('fixtures/one-tool')) });
 */
export function fixtureSteps(fixture: Fixture, options: DeliveryOptions = {}): BytesReply[] {
  return fixture.rounds.map((round) => roundReply(round, options));
}

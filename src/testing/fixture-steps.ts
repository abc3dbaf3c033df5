import type { Fixture } from './fixture.js';
import type { Rechunk } from './rechunk.js';
import type { BytesReply } from './scripted-step.js';

/**
 * A fixture as a script: each round answers one request, byte for byte, with the recorded status, headers and ending.
 *
 * @example
 * const server = await createScriptedServer({ steps: fixtureSteps(await readFixture('fixtures/one-tool')) });
 */
export function fixtureSteps(fixture: Fixture, options: { readonly rechunk?: Rechunk } = {}): BytesReply[] {
  return fixture.rounds.map((round) => ({
    status: round.status,
    headers: {
      'content-type': round.kind === 'sse' ? 'text/event-stream' : 'application/json',
      ...answerHeaders(round.headers),
    },
    bytes: round.body,
    ending: round.ending,
    ...options,
  }));
}

/** Headers about the connection belong to the server that is playing, not to the one that was recorded. */
function answerHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const own = /^(connection|keep-alive|transfer-encoding|content-length|content-encoding|date)$/i;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.test(name)));
}

import type { Fixture, FixtureRound } from '../fixture/fixture.js';
import { aFunction, checkOptions, oneOf, optional } from '../checks.js';
import type { Rechunk } from '../response/rechunk.js';
import type { BytesReply } from '../script/scripted-step.js';

/** How the bytes of a recording are delivered. */
export interface DeliveryOptions {
  /** Cuts the bytes anew. @default the recorded chunks, or one chunk */
  readonly rechunk?: Rechunk | undefined;
  /**
   * `'recorded'` keeps the pauses between the recorded chunks; not together with `rechunk`. A recording without times
   * has no pauses.
   * @default `'none'`
   */
  readonly timing?: 'recorded' | 'none' | undefined;
}

/** Returns a recorded answer as a step of a script: status, headers, bytes and ending as recorded. */
/** The members of {@link DeliveryOptions}. */
export const DELIVERY = { rechunk: optional(aFunction), timing: optional(oneOf('recorded', 'none')) };

export function roundReply(round: FixtureRound, { rechunk, timing }: DeliveryOptions = {}): BytesReply {
  if (rechunk !== undefined && timing === 'recorded') {
    throw new TypeError('`rechunk` makes chunks that were never recorded: leave out either it or `timing`.');
  }
  return {
    status: round.status,
    headers: {
      'content-type': round.kind === 'sse' ? 'text/event-stream' : 'application/json',
      ...answerHeaders(round.headers),
    },
    bytes: chunksOf(round),
    // The bytes after this are unknown.
    ending: round.aborted === true ? 'stall' : round.ending,
    ...(rechunk !== undefined && { rechunk }),
    ...(timing === 'recorded' && { delayMs: pausesOf(round) }),
  };
}

function chunksOf({ body, chunks = [] }: FixtureRound): Uint8Array | Uint8Array[] {
  if (chunks.length === 0) return body;
  let end = 0;
  return chunks.map(([bytes]) => body.subarray(end, (end += bytes)));
}

function pausesOf({ chunks = [] }: FixtureRound): number[] {
  return chunks.map(([, ms], at) => ms - (chunks[at - 1]?.[1] ?? 0));
}

/** Headers about the connection belong to the replaying server, not to the recorded one. */
function answerHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const own = /^(connection|keep-alive|transfer-encoding|content-length|content-encoding|date)$/i;
  // Some values cannot be sent: older recordings have "…" for hidden texts.
  const canBeSent = (value: string): boolean => /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value);
  return Object.fromEntries(Object.entries(headers).filter(([name, value]) => !own.test(name) && canBeSent(value)));
}

/**
 * A fixture as a script: each round answers one request, byte for byte, with the recorded status, headers and ending. What
 * is asked is not looked at; {@link replayFetch} and {@link createReplayServer} do.
 *
 * @example
 * const server = await createScriptedServer({ steps: fixtureSteps(await readFixture('fixtures/one-tool')) });
 */
export function fixtureSteps(fixture: Fixture, options: DeliveryOptions = {}): BytesReply[] {
  checkOptions('fixtureSteps', options, DELIVERY);
  return fixture.rounds.map((round) => roundReply(round, options));
}

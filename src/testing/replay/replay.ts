import { isRecord } from '../../util/guards.js';
import { anything, checkOptions, oneOf, optional } from '../checks.js';
import { type Fixture, FixtureError, type FixtureRound } from '../fixture/fixture.js';
import { readFixture } from '../fixture/read-fixture.js';
import { MISMATCH, type ScriptRecord } from '../script/script.js';
import { errorReply, type ScriptedAnswer, type ScriptedRequest } from '../script/scripted-step.js';
import { compareRequest, describeDifference, type Difference } from './differences.js';
import { ignoredPlaces } from './ignored-places.js';
import { DELIVERY, type DeliveryOptions, roundReply } from './round-reply.js';

/** The strictness of comparisons, and the speed of answers. */
export interface ReplayOptions extends DeliveryOptions {
  /**
   * `'strict'`: a recorded request gets its recorded answer; any other gets status 417 and a list of the members that
   * differ. `'lenient'`: any request gets the next answer.
   * @default `'strict'`
   */
  readonly match?: 'strict' | 'lenient' | undefined;
  /**
   * Members of the request that may differ, with all that is in them: `['temperature', 'input[0].content']`, or
   * `'input[*].output'` for all of a list. A spelling that can never match is refused. What a recording hides (`[redacted]`,
   * `sealed-1`) may always differ, and so may `metadata`, `prompt_cache_key`, `safety_identifier` and `user`.
   */
  readonly ignore?: readonly string[] | undefined;
}

/** `ignoredPlaces` checks the places, and knows how to spell them. */
const OPTIONS = { ...DELIVERY, match: optional(oneOf('strict', 'lenient')), ignore: anything };

const MAX_DIFFERENCES = 20;

/** A fixture and its progress in a replay. */
export class Replay {
  readonly problems: string[] = [];
  readonly #fixture: Promise<Fixture>;
  readonly #options: ReplayOptions;
  readonly #isIgnored: (place: string) => boolean;
  /** The rounds that no request has taken, once the fixture is read. */
  #left: FixtureRound[] | undefined;
  #all: readonly FixtureRound[] = [];
  #name = '';
  #asked = 0;

  constructor(fixture: Fixture | string, options: ReplayOptions) {
    checkOptions('replay', options, OPTIONS);
    // Throws at once if the options do not go together.
    roundReply({ status: 200, headers: {}, ending: 'end', request: {}, body: new Uint8Array(), kind: 'json' }, options);
    if (typeof fixture !== 'string' && !isRecord(fixture)) {
      throw new TypeError(`A replay takes a directory, such as "fixtures/my-server", not ${JSON.stringify(fixture)}.`);
    }
    this.#options = options;
    this.#isIgnored = ignoredPlaces(options.ignore ?? []);
    this.#fixture = typeof fixture === 'string' ? readFixture(fixture) : Promise.resolve(fixture);
    // The app learns of the failure with its first request.
    this.#fixture.catch(() => {});
  }

  /** A step for `otherwise`. */
  readonly answer = async (request: ScriptedRequest): Promise<ScriptedAnswer> => {
    this.#asked += 1;
    try {
      return roundReply(this.#take(await this.#roundsLeft(), request), this.#options);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.problems.push(message);
      const code = error instanceof FixtureError ? 'fixture_error' : 'replay_mismatch';
      return errorReply({ status: MISMATCH, message: `responses-loop/testing: ${message}`, code });
    }
  };

  /** Returns the script's record, with the problems of this replay. */
  record(script: ScriptRecord): ScriptRecord {
    const problems = (): string[] => [...script.problems, ...this.problems];
    return {
      requests: script.requests,
      get problems() {
        return problems();
      },
      waitForRequest: (index) => script.waitForRequest(index),
      assertDone: () => {
        const lines = [...problems(), ...this.#neverAsked()];
        if (lines.length > 0) throw new Error(`The recording was not replayed as it is:\n- ${lines.join('\n- ')}`);
      },
    };
  }

  /** Rejects if the fixture cannot be read. */
  async ready(): Promise<void> {
    await this.#roundsLeft();
  }

  async #roundsLeft(): Promise<FixtureRound[]> {
    const { meta, rounds } = await this.#fixture;
    this.#name = meta.name;
    this.#all = rounds;
    this.#left ??= [...rounds];
    return this.#left;
  }

  #neverAsked(): string[] {
    if (this.#asked === 0) return ['No request ever came.'];
    const left = this.#left ?? [];
    if (left.length === 0) return [];
    const numbers = left.map((round) => this.#all.indexOf(round) + 1).join(', ');
    return [`Never asked for: round${left.length === 1 ? '' : 's'} ${numbers} of ${this.#all.length}.`];
  }

  /** Takes the first round recorded with an equal request, because overlapping requests may arrive in another order. */
  #take(left: FixtureRound[], request: ScriptedRequest): FixtureRound {
    const found = left.map((round) => ({ round, list: this.#differ(round, request) }));
    const at = found.findIndex(({ list }) => list.length === 0);
    const [round] = at === -1 ? [] : left.splice(at, 1);
    if (round !== undefined) return round;
    const [closest] = found.toSorted((a, b) => a.list.length - b.list.length);
    throw new Error(closest === undefined ? this.#tooMany() : this.#mismatch(closest));
  }

  #differ(round: FixtureRound, request: ScriptedRequest): Difference[] {
    return this.#options.match === 'lenient' ? [] : compareRequest(round.request, request.body, this.#isIgnored);
  }

  #tooMany(): string {
    return `Request ${this.#asked} came, but every round of "${this.#name}" has been replayed.`;
  }

  #mismatch({ round, list: found }: { round: FixtureRound; list: readonly Difference[] }): string {
    const lines = found.slice(0, MAX_DIFFERENCES).map(describeDifference);
    if (found.length > lines.length) lines.push(`and ${found.length - lines.length} more`);
    const place = this.#all.length > 1 ? ` (closest is round ${this.#all.indexOf(round) + 1})` : '';
    return `Request ${this.#asked} differs from the recording "${this.#name}"${place}:\n  ${lines.join('\n  ')}`;
  }
}

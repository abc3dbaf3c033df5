import type { JsonObject } from '../core/json.js';
import type { Round } from '../core/round.js';
import { ApiError } from '../errors/api-error.js';
import { readRefused, type Refusal } from '../request/refusals.js';
import { stripRefused } from '../request/strip-refused.js';
import { createLearnedRefusals, type LearnedRefusals, nameRefusal, toLasting } from './learned-refusals.js';
import type { RequestBudget } from './request-budget.js';

export interface RefusalsOptions {
  /** Of the provider: what a host does not know, it will not know in the next call either. */
  readonly learned: LearnedRefusals;
  /** Host and model. */
  readonly place: string;
  readonly onRefusal: (message: string) => void;
  /** What can be left out at all. Default: whatever a server names. */
  readonly canLeaveOut?: (refusal: Refusal) => boolean;
}

type OpenBody = (body: JsonObject) => Promise<Round>;

/**
 * Opens the rounds of a call; when the server refuses something that can be left out, once more without all that it named.
 * What it named in members made for that is remembered for the host. What was read out of its words holds for this call
 * only, and costs it one further request at most; so does refused reasoning, since it is a matter of the conversation.
 */
export class RefusalHandling {
  readonly #options: RefusalsOptions;
  readonly #ofThisCall = createLearnedRefusals();
  readonly #announced = new Set<string>();
  #hasTrustedWords = false;

  constructor(options: RefusalsOptions) {
    this.#options = options;
  }

  async open(whole: JsonObject, open: OpenBody, budget: RequestBudget): Promise<Round> {
    const { learned, place } = this.#options;
    const byHost = learned.apply(place, whole);
    const known = this.#ofThisCall.apply(place, byHost.body);
    const leftOut: LeftOut[] = [];
    let { body } = known;
    for (;;) {
      try {
        const round = await open(body);
        // Only what helped is worth remembering.
        for (const { refusal, isNamed } of leftOut)
          (isNamed && refusal.kind !== 'reasoning' ? learned : this.#ofThisCall).learn(place, refusal);
        const names = [...byHost.names, ...known.names, ...leftOut.map(({ refusal }) => nameRefusal(refusal))];
        return withWarnings(round, names, this.#announced);
      } catch (error) {
        const stripped = this.#without(error, body, leftOut);
        if (stripped === undefined) throw error;
        budget.allowAnother(stripped.error);
        leftOut.push(...stripped.leftOut);
        this.#announce(stripped);
        body = stripped.body;
      }
    }
  }

  /** The body without what the error names. `undefined`: there is nothing to leave out, or it was tried often enough. */
  #without(error: unknown, body: JsonObject, before: readonly LeftOut[]): Stripped | undefined {
    if (!ApiError.isInstance(error)) return undefined;
    const { canLeaveOut = () => true } = this.#options;
    const refused = readRefused(error, body);
    if (refused === undefined || (!refused.isNamed && this.#hasTrustedWords)) return undefined;
    const stripped = strip(body, refused.refusals.filter(canLeaveOut), refused.isNamed);
    // Nothing of it was in the body: asking again would be asking the same.
    if (stripped.leftOut.length === 0) return undefined;
    // A server that minds one tool after the other would be asked once for each.
    if (before.some(isTool) && stripped.leftOut.some(isTool)) return undefined;
    return { error, ...stripped };
  }

  #announce({ leftOut }: Stripped): void {
    this.#hasTrustedWords ||= leftOut.some(({ isNamed }) => !isNamed);
    for (const { refusal } of leftOut)
      this.#options.onRefusal(`The server refused ${nameRefusal(refusal)}; the round was sent again without it.`);
  }
}

interface Stripped {
  readonly error: ApiError;
  readonly body: JsonObject;
  readonly leftOut: readonly LeftOut[];
}

/** What a request was sent without. */
interface LeftOut {
  readonly refusal: Refusal;
  readonly isNamed: boolean;
}

function isTool({ refusal }: LeftOut): boolean {
  return refusal.kind === 'tool';
}

function strip(whole: JsonObject, refusals: readonly Refusal[], isNamed: boolean): Omit<Stripped, 'error'> {
  const leftOut: LeftOut[] = [];
  let body = whole;
  // Positions are those of the body that was refused.
  for (const refusal of refusals.map((one) => toLasting(whole, one))) {
    const stripped = stripRefused(body, refusal);
    if (stripped === undefined) continue;
    leftOut.push({ refusal, isNamed });
    body = stripped;
  }
  return { body, leftOut };
}

/** Each thing is said once a call, however many rounds go without it. */
function withWarnings(round: Round, left: readonly string[], announced: Set<string>): Round {
  const fresh = left.filter((name) => !announced.has(name));
  for (const name of fresh) announced.add(name);
  if (fresh.length === 0) return round;
  return { ...round, warnings: fresh.map((name) => `The server refuses ${name}, so it was not sent.`) };
}

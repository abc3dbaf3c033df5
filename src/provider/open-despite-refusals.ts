import type { JsonObject } from '../core/json.js';
import type { Round } from '../core/round.js';
import { ApiError } from '../errors/api-error.js';
import { readRefusal, type Refusal } from '../request/refusals.js';
import { stripRefused } from '../request/strip-refused.js';
import { createLearnedRefusals, type LearnedRefusals, nameRefusal, toLasting } from './learned-refusals.js';
import { defined } from '../util/defined.js';

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
 * Opens a round; when the server names one thing it will not take, once more without it. Fields and tools are remembered
 * for the host, refused reasoning for this call only, since it is a matter of the conversation.
 */
export function createRefusalHandling(options: RefusalsOptions): (body: JsonObject, open: OpenBody) => Promise<Round> {
  const ofThisCall = createLearnedRefusals();
  const told = new Set<string>();
  return async (whole, open) => {
    const byHost = options.learned.apply(options.place, whole);
    const known = ofThisCall.apply(options.place, byHost.body);
    const left = [...byHost.names, ...known.names];
    const fresh: Refusal[] = [];
    let { body } = known;
    for (;;) {
      try {
        const round = await open(body);
        // Only what helped is worth remembering.
        for (const refusal of fresh)
          (refusal.kind === 'reasoning' ? ofThisCall : options.learned).learn(options.place, refusal);
        return withWarnings(round, [...left, ...fresh.map(nameRefusal)], told);
      } catch (error) {
        const refusal = refusalIn(error, options);
        const lasting = refusal === undefined ? undefined : toLasting(body, refusal);
        const stripped = lasting === undefined ? undefined : stripRefused(body, lasting);
        // Nothing in it that could be left out: asking again would be asking the same.
        if (lasting === undefined || stripped === undefined) throw error;
        fresh.push(lasting);
        options.onRefusal(`The server refused ${nameRefusal(lasting)}; the round was sent again without it.`);
        body = stripped;
      }
    }
  };
}

/** Each thing is said once a call, however many rounds go without it. */
function withWarnings(round: Round, left: readonly string[], told: Set<string>): Round {
  const fresh = left.filter((name) => !told.has(name));
  for (const name of fresh) told.add(name);
  if (fresh.length === 0) return round;
  return { ...round, warnings: fresh.map((name) => `The server refuses ${name}, so it was not sent.`) };
}

function refusalIn(error: unknown, { canLeaveOut }: RefusalsOptions): Refusal | undefined {
  if (!ApiError.isInstance(error)) return undefined;
  const { statusCode, serverCode, responseBody, message } = error;
  const refusal = readRefusal({
    body: responseBody ?? '',
    message,
    ...defined({ statusCode, serverCode }),
  });
  return refusal === undefined || canLeaveOut?.(refusal) === false ? undefined : refusal;
}

import type { LaneOutcome, SeenRequest } from '../observation.js';
import type { CallItem, Exchange, Lane, Scenario } from '../scenario.js';
import { type Folded, fold } from './fold.js';
import { withResends } from './resends.js';
import { isReadOnly, type Owner, ownerOf, toolChoiceOf } from './owner.js';

/** What may come after an exchange. */
export type Next =
  | 'follow' // another round, with the outputs of this one
  | 'retry' // the same round again
  | 'resend' // the same round again, by the transport: nothing of an answer came
  | 'ok' // the call ends, without an error
  | 'error' // the call ends with an error
  | 'reject'; // the promise rejects

export interface OwnedCall {
  readonly call: CallItem;
  readonly owner: Owner;
}

/** One request, what it was answered with, and what the scenario says has to come of it. */
export interface RoundView extends SeenRequest {
  readonly index: number;
  readonly modelCall: number;
  /** Within its model call, counted from 0; a retry has the number of what it repeats. */
  readonly round: number;
  readonly attempt: number;
  readonly folded: Folded | undefined;
  /** All calls that may count, in output order. */
  readonly calls: readonly OwnedCall[];
  readonly allowed: ReadonlySet<Next>;
  /** What did come: the next request of the same model call, if any. */
  readonly followedBy: 'follow' | 'retry' | 'resend' | undefined;
  readonly isLastOfCall: boolean;
}

export interface JudgeContext {
  readonly scenario: Scenario;
  readonly lane: Lane;
  readonly outcome: LaneOutcome;
  readonly lagMs: number;
}

export function viewRounds(context: JudgeContext): RoundView[] {
  const views: RoundView[] = [];
  context.outcome.requests.forEach((seen, index) => {
    const previous = views.at(-1);
    const same = previous?.modelCall === seen.modelCall ? previous : undefined;
    const isAgain = same !== undefined && isRepeated(same);
    const round = same === undefined ? 0 : isAgain ? same.round : same.round + 1;
    const attempt = isAgain ? same.attempt + Number(same.followedBy === 'retry') : 0;
    const folded = seen.exchange?.kind === 'answer' ? fold(seen.exchange) : undefined;
    const calls = (folded?.items ?? []).flatMap(({ item, complete }): OwnedCall[] =>
      item.type === 'call' && complete
        ? [{ call: item, owner: ownerOf(item.name, context.lane, context.scenario) }]
        : [],
    );
    const place = { exchange: seen.exchange, folded, calls, round, attempt, index, context };
    const before = views.filter((view) => view.modelCall === seen.modelCall && view.round === round);
    const allowed = new Set(withResends(nextOf(place), seen, before, folded?.isUncertain === true));
    const next = context.outcome.requests[index + 1];
    const goesOn = next !== undefined && next.modelCall === seen.modelCall;
    views.push({
      ...seen,
      index,
      round,
      attempt,
      folded,
      calls,
      allowed,
      followedBy: goesOn ? wayFrom(seen, next) : undefined,
      isLastOfCall: !goesOn,
    });
  });
  return views;
}

/** A repeated round asks exactly the same; what the provider does not call a retry, its transport did. */
function wayFrom(seen: SeenRequest, next: SeenRequest): RoundView['followedBy'] {
  if (!sameInput(seen, next)) return 'follow';
  return next.isRetry || seen.wire === undefined ? 'retry' : 'resend';
}

export function isRepeated({ followedBy }: Pick<RoundView, 'followedBy'>): boolean {
  return followedBy === 'retry' || followedBy === 'resend';
}

function sameInput(one: SeenRequest, other: SeenRequest): boolean {
  return JSON.stringify(one.request.body['input']) === JSON.stringify(other.request.body['input']);
}

interface Place {
  readonly exchange: Exchange | undefined;
  readonly folded: Folded | undefined;
  readonly calls: readonly OwnedCall[];
  readonly round: number;
  readonly attempt: number;
  readonly index: number;
  readonly context: JudgeContext;
}

function nextOf(place: Place): Next[] {
  const { exchange, folded } = place;
  if (exchange === undefined) return ['ok'];
  if (exchange.kind === 'http-error') return unseen(place, isRetryableStatus(exchange.status, exchange.code));
  if (exchange.kind === 'silent') return unseen(place, true);
  if (folded === undefined) return [];
  const broken = brokenNext(place, folded);
  if (folded.isUncertain) return [...new Set([...ending(place, folded), ...broken, ...maybeUnseen(place, true)])];
  return folded.outcome === 'truncated' || folded.outcome === 'reset' ? broken : ending(place, folded);
}

/** The server said how it ended. */
function ending(place: Place, { outcome, isVisible }: Folded): Next[] {
  const { exchange } = place;
  if (outcome === 'incomplete') return ['ok'];
  if (outcome === 'completed') return whenCounted(place);
  if (exchange?.kind !== 'answer' || outcome !== 'failed') return [];
  return isVisible ? ['error'] : maybeUnseen(place, exchange.error.retryable);
}

/** The stream broke: what has begun to act is gone on from, anything else is an error. */
function brokenNext(place: Place, folded: Folded): Next[] {
  const started = startsEarly(place, folded);
  const whereUnseen = folded.isVisible && !folded.isUncertain ? [] : maybeUnseen(place, isWorthRepeating(place));
  const failure: Next[] = folded.isVisible ? [...whereUnseen, 'error'] : whereUnseen;
  if (started === 'no') return failure;
  return started === 'yes' ? whenCounted(place) : [...whenCounted(place), ...failure, 'error'];
}

/** Read-only tools start while the model still writes, unless a writing one comes before them. */
function startsEarly({ context, index }: Place, folded: Folded): 'yes' | 'no' | 'maybe' {
  const { scenario, lane } = context;
  if (scenario.settings.toolConcurrency !== 'auto' || isClosing(context, index)) return 'no';
  const writes = ({ name }: CallItem): boolean => ownerOf(name, lane, scenario) === 'loop' && !isReadOnly(name);
  for (const { item: call, after } of folded.early) {
    if (ownerOf(call.name, lane, scenario) !== 'loop') continue;
    if (!isReadOnly(call.name)) return 'no';
    if (after.some(writes)) continue;
    // Arguments that nobody can read start nothing.
    if (call.broken) continue;
    return folded.isUncertain ? 'maybe' : 'yes';
  }
  return 'no';
}

function whenCounted({ calls, context, index }: Place): Next[] {
  const ours = calls.some(({ owner }) => owner !== 'client');
  const theirs = calls.some(({ owner }) => owner === 'client');
  return ours && !theirs && !isClosing(context, index) ? ['follow'] : ['ok'];
}

/** Whether the provider asked for an answer without tools; that it did so at the right time is judged elsewhere. */
export function isClosing({ outcome, lane }: JudgeContext, index: number): boolean {
  const body = outcome.requests[index]?.request.body;
  return toolChoiceOf(lane) !== 'none' && body?.['tool_choice'] === 'none';
}

/** Nothing could be seen of it, so the first round rejects and later ones are repeated. */
function unseen({ round, attempt, context }: Place, isRetryable: boolean): Next[] {
  if (round === 0) return ['reject'];
  return isRetryable && attempt < context.scenario.settings.maxRetries ? ['retry'] : ['error'];
}

/** The provider looks for 50 ms whether there is something to show. */
const LOOK_AHEAD_LAG_MS = 20;

/** As `unseen`, where the look-ahead may have been given up before the failure came. */
function maybeUnseen(place: Place, isRetryable: boolean): Next[] {
  const { exchange, context } = place;
  const usual = unseen(place, isRetryable);
  const isLate =
    context.lagMs > LOOK_AHEAD_LAG_MS ||
    (exchange?.kind === 'answer' &&
      (exchange.pause !== undefined || exchange.ending === 'stall' || exchange.cut.how === 'byte'));
  return isLate ? [...usual, 'error'] : usual;
}

function isWorthRepeating({ exchange }: Place): boolean {
  if (exchange?.kind !== 'answer' || exchange.ending !== 'end') return true;
  // A page, half a body, a stream without a single event: asking again would give the same.
  if (exchange.form === 'json') return exchange.stopAfter === 0;
  return exchange.stopAfter !== 0 || !exchange.tornEvent;
}

function isRetryableStatus(status: number, code: string): boolean {
  return status === 500 || (status === 429 && code !== 'insufficient_quota');
}

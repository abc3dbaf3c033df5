import type { Round, RoundRequest } from '../core/round.js';
import type { CallWarning } from '../core/warning.js';
import { invalidSettings } from '../errors/invalid-settings.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import type { AnsweredRounds, BegunCall, Beginning, CallPlugin, EarlierAttempt } from '../loop/call-plugin.js';
import type { Observer } from '../observe/event.js';
import type { ToolRun } from '../tools/call/call-scope.js';
import { type AbortLike, type Cancellation, raceAbort } from '../util/abort.js';
import { defined } from '../util/defined.js';
import { toError } from '../util/error-text.js';
import { isRecord } from '../util/guards.js';
import { differenceOf, hashAsked } from './asked.js';
import { fromFailure, toFailure } from './failure-record.js';
import type { AskedRecord, CallHead, Journal, JournalRecord, MarkRecord, RoundRecord } from './journal.js';
import { LiveRound } from './live-round.js';
import { toPlain } from './plain.js';
import { noRecordOf, otherCall } from './read-record.js';
import { ReplayedEvents } from './replayed-events.js';
import { claimIds, fromRecorded } from './round-record.js';
import { BegunStep, keep } from './step.js';
import { keepChange } from './between-step.js';
import { type BegunTool, keepRun } from './tool-steps.js';
import { adoptTools, toToolHeads } from './tools-record.js';

/** The number of calls of a journal. */
const calls = new WeakMap<object, number>();

/** The beginning of a call: round 0, or the mark before tools that the user has allowed. Its work is added later. */
type First =
  | { readonly kind: 'round'; readonly step: BegunStep<RoundRecord> }
  | { readonly kind: 'mark'; readonly step: BegunStep<MarkRecord> };

type State =
  | { readonly at: 'fresh' }
  /** `head`: the known beginning of this attempt. */
  | { readonly at: 'live'; readonly first: First; readonly head: CallHead }
  /** `attempt` is unset if the earlier attempt failed before its first part. */
  | { readonly at: 'replay'; readonly first: First; readonly attempt: EarlierAttempt | undefined }
  | ({ readonly at: 'rejected' } & NonNullable<CallPlugin['rejected']>);

/**
 * A call in a journal. Its first step begins before anything else, because a replay decides the provider and its tools.
 */
export class CallJournal implements CallPlugin {
  readonly #journal: Journal;
  readonly #call: number;
  readonly #modelId: string;
  readonly #events = new ReplayedEvents();
  #state: State = { at: 'fresh' };
  #seed: string = crypto.randomUUID();
  /** The latest round, if it is from the journal. */
  #replayed: { readonly origin: string | undefined } | undefined;
  /** The time of the previous step's record. */
  #at: number | undefined;
  #ends: Cancellation | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** @throws ResponsesLoopError `invalid-settings` for a value that is no journal */
  constructor(journal: unknown, modelId: string) {
    if (!isRecord(journal) || typeof journal['step'] !== 'function')
      throw invalidSettings('The function "journal" must return an object with a function "step", or undefined.');
    // Checked above.
    this.#journal = journal as unknown as Journal;
    this.#call = calls.get(journal) ?? 0;
    calls.set(journal, this.#call + 1);
    this.#modelId = modelId;
  }

  get rejected(): CallPlugin['rejected'] {
    return this.#state.at === 'rejected' ? this.#state : undefined;
  }

  /** Rejects with the failure of an earlier attempt, and if the record belongs to another call. */
  async begin({ call, key, hasAllowedTools, ends }: BegunCall): Promise<EarlierAttempt | undefined> {
    this.#ends = ends;
    if (this.#state.at === 'rejected') ends.cancel(this.#state.error);
    if (this.#state.at !== 'fresh') return this.#state.at === 'replay' ? this.#state.attempt : undefined;
    const first: First = hasAllowedTools
      ? { kind: 'mark', step: this.#begin<MarkRecord>('start', 'mark') }
      : { kind: 'round', step: this.#begin<RoundRecord>('round/0', 'round') };
    this.#state = { at: 'live', first, head: { seed: this.#seed, tools: [], warnings: [] } };
    const record: Partial<RoundRecord> | undefined = await first.step.known;
    this.#events.comes(record !== undefined);
    if (record !== undefined) {
      this.#state = { at: 'replay', first, attempt: undefined };
      this.#replayed = { origin: undefined };
      // Early versions wrote no seed, and two calls must not share one.
      this.#seed = record.call?.seed ?? this.#seed;
    }
    const asked = await hashAsked({ call, key }, this.#seed);
    if (record === undefined) {
      this.#state = { at: 'live', first, head: { seed: this.#seed, asked, tools: [], warnings: [] } };
      return undefined;
    }
    const attempt = this.#readHead(record, asked, first.kind === 'mark' ? 'start' : 'round/0');
    this.#state = { at: 'replay', first, attempt };
    return attempt;
  }

  #readHead(record: Partial<RoundRecord>, asked: AskedRecord, what: string): EarlierAttempt {
    const { call, origin, at, parts = [], failure } = record;
    const key = `${this.#call}/${what}`;
    const difference = call?.asked && differenceOf(call.asked, asked);
    if (difference !== undefined) throw this.#rejectedBy(otherCall({ key }, difference));
    // A broken round is replayed like any other.
    if (failure !== undefined && parts.length === 0) throw fromFailure(failure, key);
    if (call === undefined) throw this.#rejectedBy(noRecordOf({ key }, '"call" is missing'));
    this.#at = at;
    return {
      // The round's origin, because the key may have changed during the call.
      ...defined({ origin: origin ?? call.origin }),
      chosen: call.fallback,
      // They were checked.
      warnings: call.warnings as readonly CallWarning[],
      toolset: (live) => adoptTools(live, call.tools),
    };
  }

  #rejectedBy(error: Error): Error {
    this.#reject(error);
    return error;
  }

  /**
   * Records the beginning of the call. Rounds are requested only if the journal has none, and the latest round decides
   * the origin of reasoning.
   */
  async rounds(source: AnsweredRounds, begun: Beginning): Promise<AnsweredRounds> {
    const state = this.#state;
    if (state.at === 'live') {
      const { first } = state;
      const head = this.#headOf(state.head, begun, first.kind === 'mark' ? source.metadata.origin : undefined);
      this.#state = { at: 'live', first, head };
      if (first.kind === 'mark') {
        this.#at = Date.now();
        first.step.work({ version: 1, at: this.#at, call: head });
        await raceAbort(first.step.kept, this.#ends);
      }
    }
    const { metadata } = source;
    const origin = (): string | undefined => (this.#replayed ?? metadata).origin;
    return {
      openRound: (request) => this.#openRound(source, request),
      metadata: Object.defineProperty({ ...metadata }, 'origin', { get: origin, enumerable: true }),
    };
  }

  /** `origin` is unset if a round contains it. */
  #headOf({ asked }: CallHead, { chosen, warnings, toolset }: Beginning, origin: string | undefined): CallHead {
    return toPlain({
      seed: this.#seed,
      asked,
      origin,
      fallback: chosen && { uses: chosen.uses, because: chosen.because },
      tools: toToolHeads(toolset),
      warnings,
    }) as unknown as CallHead;
  }

  /** The first step keeps the failure if it is one of ours, and fails otherwise. */
  async failed(error: unknown): Promise<unknown> {
    if (this.#state.at === 'live') {
      const { first, head } = this.#state;
      // Another call under its key must not fail with it.
      if (first.kind === 'round') await this.#settleFailed(first.step, error, this.#ends, head);
      // A mark has no failure.
      else await abandon(first.step, error, this.#ends);
    }
    return this.rejected?.error ?? error;
  }

  async #openRound(source: AnsweredRounds, request: RoundRequest): Promise<Round> {
    const { index } = request;
    const known = this.#state.at === 'live' || this.#state.at === 'replay' ? this.#state.first : undefined;
    const first = index === 0 && known?.kind === 'round' ? known.step : undefined;
    const step = first ?? this.#begin<RoundRecord>(`round/${index}`, 'round');
    const record = await step.known;
    this.#events.comes(record !== undefined);
    if (record !== undefined) return this.#replay(record, request);
    this.#replayed = undefined;
    return this.#open(step, source, request);
  }

  readonly now = (): number => this.#at ?? Date.now();

  observer(observer: Observer): Observer {
    return this.#events.of(observer);
  }

  readonly between: CallPlugin['between'] = (roundNumber, decide) => {
    const place = { call: this.#call, roundNumber, modelId: this.#modelId };
    return keepChange((step, run) => keep(this.#journal, step, run, this.#reject), place, decide);
  };

  tool(callId: string, name: string): ToolRun {
    const ready = this.#turn;
    let pass = (): void => {};
    this.#turn = new Promise((resolve) => {
      pass = resolve;
    });
    this.#events.toolBegins(callId);
    const key = `${this.#call}/tool/${callId}`;
    const begun: BegunTool = {
      pass,
      onNew: () => this.#events.hasRun(),
      comes: (isReplayed) => this.#events.toolComes(callId, isReplayed),
      keep: (suffix, kind, run) => keep(this.#journal, { key: key + suffix, kind, name }, run, this.#reject),
    };
    return { ready, pass, seed: this.#seed, keep: (run) => keepRun(run, begun) };
  }

  #begin<Kept extends JournalRecord>(what: string, kind: 'round' | 'mark'): BegunStep<Kept> {
    return new BegunStep<Kept>(
      this.#journal,
      { key: `${this.#call}/${what}`, kind, name: this.#modelId },
      this.#reject,
    );
  }

  /** Ends the call: neither a request nor a tool starts after it. */
  readonly #reject = (reason: unknown): void => {
    // The call has already ended by an abort or a deadline, so its steps keep nothing, and reject with the reason.
    if (this.#ends?.aborted === true || this.#state.at === 'rejected') return;
    const error = toError(reason);
    // An attempt that the engine ends is repeated, and then shows the results of its calls. No attempt reads a broken
    // record.
    const isFinal = ResponsesLoopError.isInstance(error) && error.code === 'journal';
    this.#state = { at: 'rejected', error, isFinal };
    this.#ends?.cancel(error);
  };

  async #open(
    step: BegunStep<RoundRecord>,
    { openRound, metadata }: AnsweredRounds,
    request: RoundRequest,
  ): Promise<Round> {
    const state = this.#state;
    const head = state.at === 'live' && state.first.step === step ? state.head : undefined;
    let round: Round;
    try {
      round = await openRound(request);
    } catch (error) {
      // Another provider may answer the first round; see `failed`.
      if (head === undefined) await this.#settleFailed(step, error, request.signal);
      throw error;
    }
    const live = new LiveRound(round, request.signal);
    step.work(live.record({ version: 1, ...defined({ call: head, origin: metadata.origin }) }));
    const kept = (): Promise<void> => step.kept.then(({ at }) => void (this.#at = at));
    return { ...round, batches: (take) => live.handOver(take, kept()) };
  }

  #replay({ parts, origin, warnings, failure, at }: RoundRecord, request: RoundRequest): Round {
    const key = `${this.#call}/round/${request.index}`;
    const error = failure && fromFailure(failure, key);
    if (error !== undefined && parts.length === 0) throw error;
    this.#replayed = { origin };
    this.#at = at;
    claimIds(parts, request);
    const batch = fromRecorded(parts);
    return {
      ...defined({ warnings, origin }),
      batches: async (take) => {
        const goesOn = await take(batch);
        if (error !== undefined) throw error;
        // A round that broke a limit was not read to its end, and breaks it again.
        if (goesOn === false || batch.at(-1)?.type === 'round-end') return;
        throw this.#rejectedBy(noRecordOf({ key }, '"parts" does not end with a "round-end"'));
      },
    };
  }

  /** Records a failure of this package. Aborts and errors of the app's own functions are not recorded. */
  async #settleFailed(
    step: BegunStep<RoundRecord>,
    error: unknown,
    signal: AbortLike | undefined,
    call?: CallHead,
  ): Promise<void> {
    const isKept = signal?.aborted !== true && ResponsesLoopError.isInstance(error);
    if (!isKept) return abandon(step, error, signal);
    step.work({ version: 1, parts: [], failure: toFailure(error), ...defined({ call }) });
    await raceAbort<unknown>(step.kept, signal).catch(() => {});
  }
}

async function abandon(
  step: Pick<BegunStep<JournalRecord>, 'fail' | 'kept'>,
  error: unknown,
  signal: AbortLike | undefined,
): Promise<void> {
  step.fail(toError(error));
  await raceAbort<unknown>(step.kept, signal).catch(() => {});
}

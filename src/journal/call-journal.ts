import type { AskedRecord, CallHead, Journal, JournalRecord, MarkRecord, RoundRecord } from '../core/journal.js';
import type { JsonObject } from '../core/json.js';
import type { Round, RoundRequest } from '../core/round.js';
import type { CallWarning } from '../core/warning.js';
import { invalidSettings } from '../errors/invalid-settings.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import type { LoopJournal } from '../loop/loop-options.js';
import type { RoundSource } from '../rounds/round-source.js';
import type { ToolSteps } from '../tools/call/call-scope.js';
import type { Toolset } from '../tools/loop-tool.js';
import { type AbortLike, type Cancellation, raceAbort } from '../util/abort.js';
import { defined } from '../util/defined.js';
import { toError } from '../util/error-text.js';
import { isRecord } from '../util/guards.js';
import { type AskedOptions, differenceOf, hashAsked } from './asked.js';
import { fromFailure, toFailure } from './failure-record.js';
import { LiveRound } from './live-round.js';
import { toPlain } from './plain.js';
import { noRecordOf, otherCall } from './read-record.js';
import { fromRecorded } from './round-record.js';
import { BegunStep, keep } from './step.js';
import { type BegunCall, keepRun } from './tool-steps.js';
import { adoptTools, toToolHeads } from './tools-record.js';

/** How many calls a journal has had. */
const calls = new WeakMap<object, number>();

/**
 * One call in a journal. Its first step is begun before anything else is known of the call: whether it runs or is replayed
 * decides who answers and with which tools. Its work is given to it later.
 */
export class CallJournal implements LoopJournal {
  isReplayed = false;
  hasRun = false;
  rejected: { readonly error: Error } | undefined;
  readonly #journal: Journal;
  readonly #call: number;
  readonly #modelId: string;
  /** Begun ahead of its work: round 0, or the mark before tools that the user has allowed. */
  #first: BegunStep<RoundRecord> | undefined;
  #mark: BegunStep<MarkRecord> | undefined;
  /** What an earlier attempt began with. */
  #recorded: RecordedHead | undefined;
  /** What this one begins with. */
  #head: CallHead | undefined;
  #toolset: Toolset | undefined;
  #seed: string = crypto.randomUUID();
  #asked: AskedRecord | undefined;
  #replayedOrigin: string | undefined;
  /** When the step before was kept. */
  #at: number | undefined;
  #ends: Cancellation | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** @throws ResponsesLoopError `invalid-settings` for what is no journal */
  constructor(journal: unknown, modelId: string) {
    if (!isRecord(journal) || typeof journal['step'] !== 'function')
      throw invalidSettings('The function "journal" has to return an object with a function "step", or undefined.');
    // Just looked at.
    this.#journal = journal as unknown as Journal;
    this.#call = calls.get(journal) ?? 0;
    calls.set(journal, this.#call + 1);
    this.#modelId = modelId;
  }

  /**
   * Begins the call, and returns what it began with in an earlier attempt; `undefined`: this is the first one. `ahead`: tools
   * run before round 0. Rejects with what the call failed with then, and if the record is that of another call.
   */
  async begin(ends: Cancellation, { ahead, asked }: BegunWith): Promise<RecordedHead | undefined> {
    this.#ends = ends;
    if (this.rejected !== undefined) ends.cancel(this.rejected.error);
    if (this.#first !== undefined || this.#mark !== undefined) return this.#recorded;
    if (ahead) this.#mark = this.#begin<MarkRecord>('start', 'mark');
    else this.#first = this.#begin<RoundRecord>('round/0', 'round');
    const record: Partial<RoundRecord> | undefined = await (this.#mark ?? this.#first)?.known;
    this.#noteReplay(record !== undefined);
    // Early versions wrote none: two calls must not share theirs.
    this.#seed = record?.call?.seed ?? this.#seed;
    this.#asked = await hashAsked(asked, this.#seed);
    if (record !== undefined) this.#recorded = this.#readHead(record, this.#asked, ahead ? 'start' : 'round/0');
    return this.#recorded;
  }

  #readHead(record: Partial<RoundRecord>, asked: AskedRecord, what: string): RecordedHead {
    const { call, origin, at, parts = [], failure } = record;
    const key = `${this.#call}/${what}`;
    const difference = call?.asked && differenceOf(call.asked, asked);
    if (difference !== undefined) throw this.#rejectedBy(otherCall({ key }, difference));
    // A round that only broke off is replayed like any other.
    if (failure !== undefined && parts.length === 0) throw fromFailure(failure);
    if (call === undefined) throw this.#rejectedBy(noRecordOf({ key }, '"call" is missing'));
    this.#at = at;
    // The origin is that of the round: the key may have been another one than the call began with. Its warnings were checked.
    return { ...(call as RecordedHead), ...defined({ origin }) };
  }

  #rejectedBy(error: Error): Error {
    this.#reject(error);
    return error;
  }

  /** The tools of this attempt, or those of the first one. */
  tools(live: Toolset): Toolset {
    this.#toolset = live;
    return this.#recorded === undefined ? live : adoptTools(live, this.#recorded.tools);
  }

  /**
   * Takes down what the call begins with. Rounds are then asked for only where the journal has none, and the origin of
   * reasoning is that of the round under way.
   */
  async keep(source: RoundSource, live: LiveHead): Promise<Pick<RoundSource, 'openRound' | 'metadata'>> {
    const isNew = this.#recorded === undefined;
    if (isNew) this.#head = this.#headOf(source, live);
    if (isNew && this.#mark !== undefined) {
      this.#at = Date.now();
      this.#mark.work({ version: 1, at: this.#at, ...defined({ call: this.#head }) });
      await raceAbort(this.#mark.kept, this.#ends);
    }
    const { metadata } = source;
    const origin = (): string | undefined => (this.isReplayed ? this.#replayedOrigin : metadata.origin);
    return {
      openRound: (request) => this.#openRound(source, request),
      metadata: Object.defineProperty({ ...metadata }, 'origin', { get: origin, enumerable: true }),
    };
  }

  #headOf({ metadata }: RoundSource, { fallback, warnings }: LiveHead): CallHead {
    return toPlain({
      seed: this.#seed,
      asked: this.#asked,
      // Else the round says so.
      origin: this.#mark && metadata.origin,
      fallback: fallback && { uses: fallback.uses, because: fallback.because },
      tools: this.#toolset === undefined ? [] : toToolHeads(this.#toolset),
      warnings,
    }) as unknown as CallHead;
  }

  /** Of a call that failed before anything but its question was known. */
  #emptyHead(): CallHead {
    return { seed: this.#seed, ...defined({ asked: this.#asked }), tools: [], warnings: [] };
  }

  /** A call that could not be started: what it fails with. Its step fails too, or keeps the failure if it is one of ours. */
  async failed(error: unknown): Promise<unknown> {
    const step = this.#mark ?? this.#first;
    if (step !== undefined && this.rejected === undefined && !this.isReplayed)
      await this.#settleFailed(step, error, this.#ends);
    return this.rejected?.error ?? error;
  }

  async #openRound(source: RoundSource, request: RoundRequest): Promise<Round> {
    const first = request.index === 0 ? this.#first : undefined;
    const step = first ?? this.#begin<RoundRecord>(`round/${request.index}`, 'round');
    const record = await step.known;
    this.#noteReplay(record !== undefined);
    request.onBegun?.();
    return record === undefined ? this.#open(step, source, request) : this.#replay(record, request);
  }

  /** The same in every attempt, for what hangs on the time. */
  readonly now = (): number => this.#at ?? Date.now();

  stepsOf(callId: string, name: string): ToolSteps {
    const ready = this.#turn;
    let pass = (): void => {};
    this.#turn = new Promise((resolve) => {
      pass = resolve;
    });
    const key = `${this.#call}/tool/${callId}`;
    const begun: BegunCall = {
      pass,
      onRun: () => {
        this.hasRun = true;
      },
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
    // The call has ended already, by an abort or a deadline: its steps keep nothing, and reject for that.
    if (this.#ends?.aborted === true) return;
    this.rejected ??= { error: toError(reason) };
    this.#ends?.cancel(this.rejected.error);
  };

  #noteReplay(isReplayed: boolean): void {
    this.isReplayed = isReplayed;
    this.hasRun ||= !isReplayed;
  }

  async #open(
    step: BegunStep<RoundRecord>,
    { openRound, metadata }: RoundSource,
    request: RoundRequest,
  ): Promise<Round> {
    const isFirst = step === this.#first;
    let round: Round;
    try {
      round = await openRound(request);
    } catch (error) {
      // Somebody else may be asked for the first one; see `failed`.
      if (!isFirst) await this.#settleFailed(step, error, request.signal);
      throw error;
    }
    const live = new LiveRound(round, request.signal);
    const known = defined({ call: isFirst ? this.#head : undefined, origin: metadata.origin });
    step.work(live.record({ version: 1, ...known }));
    const kept = (): Promise<void> => step.kept.then(({ at }) => void (this.#at = at));
    return { ...round, batches: (take) => live.handOver(take, kept()) };
  }

  #replay({ parts, origin, warnings, failure, at }: RoundRecord, request: RoundRequest): Round {
    const error = failure && fromFailure(failure);
    if (error !== undefined && parts.length === 0) throw error;
    this.#replayedOrigin = origin;
    this.#at = at;
    claimIds(parts, request);
    const batch = fromRecorded(parts, origin);
    return {
      ...defined({ warnings }),
      batches: async (take) => {
        const goesOn = await take(batch);
        if (error !== undefined) throw error;
        // A round that broke a limit was not read to its end, and breaks it again.
        if (goesOn === false || batch.at(-1)?.type === 'round-end') return;
        const step = { key: `${this.#call}/round/${request.index}` };
        throw this.#rejectedBy(noRecordOf(step, '"parts" does not end with a "round-end"'));
      },
    };
  }

  /** What this package says of a failure is kept; an abort is not, nor what the app's own functions throw. */
  async #settleFailed(
    step: BegunStep<RoundRecord> | BegunStep<MarkRecord>,
    error: unknown,
    signal: AbortLike | undefined,
  ): Promise<void> {
    const isKept = signal?.aborted !== true && ResponsesLoopError.isInstance(error);
    // A mark holds no failure.
    if (isKept && step !== this.#mark)
      (step as BegunStep<RoundRecord>).work({
        version: 1,
        parts: [],
        failure: toFailure(error),
        // Another call under its key must not fail with it.
        ...defined({ call: step === this.#first ? (this.#head ?? this.#emptyHead()) : undefined }),
      });
    else step.fail(toError(error));
    await raceAbort<unknown>(step.kept, signal).catch(() => {});
  }
}

/** What a call began with in an earlier attempt. */
export interface RecordedHead extends Omit<CallHead, 'warnings'> {
  readonly warnings: readonly CallWarning[];
}

interface BegunWith {
  readonly ahead: boolean;
  readonly asked: AskedOptions;
}

interface LiveHead extends Pick<RecordedHead, 'warnings'> {
  readonly fallback: CallHead['fallback'] | undefined;
}

/** The names in a record are taken, as they were when it was made. */
function claimIds(parts: readonly JsonObject[], { newIds }: RoundRequest): void {
  const ids = newIds();
  const claimed = new Set<string>();
  for (const { callId } of parts) {
    if (typeof callId !== 'string' || claimed.has(callId)) continue;
    claimed.add(callId);
    ids.claimCallId(callId, undefined, callId);
  }
}

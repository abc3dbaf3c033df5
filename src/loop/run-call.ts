import { Redactor } from '../observe/redactor.js';
import { toCleanError } from '../observe/redact-error.js';
import type { Turn } from '../core/entry.js';
import { INTERRUPTED_TEXT } from '../core/message.js';
import type { CallFinish, CallPart, FinishReason, RoundPart } from '../core/part.js';
import { type OnValue, toPushStream } from '../core/push-stream.js';
import type { Round, RoundIds } from '../core/round.js';
import { abortError, raceAbort } from '../util/abort.js';
import { KnownItems } from '../history/known-items.js';
import { Boundary, type Settled } from './boundary.js';
import type { GoingOn } from './broken-round.js';
import { CallEvents } from './call-events.js';
import { createCallIds } from './call-ids.js';
import { CallRecord } from './call-record.js';
import type { LoopOptions } from './loop-options.js';
import { goesAgain, type NextStep, nextStep } from './next-step.js';
import { NextRound, userTurn } from './next-round.js';
import { offeredAtFirst } from './offered-tools.js';
import { type Emit, emitSlices, SLICE } from './pump.js';
import { type ApprovalHistory, readApprovals } from './read-approvals.js';
import type { ApprovedCalls } from './resume.js';
import { toResultPart } from './own-calls.js';
import type { RoundCalls } from './round-calls.js';
import { RoundRun } from './round-run.js';

/** A call whose first round is open: from here on errors are parts. */
interface StartedCall {
  readonly requestBody: unknown;
  readonly requestUrl: Round['requestUrl'];
  readonly responseHeaders: Readonly<Record<string, string>> | undefined;
  /** Emits all parts, `finish` last, or just ends after an abort. Rejects only if emitting failed. */
  readonly run: (emit: EmitParts) => Promise<void>;
}
type EmitParts = Emit<readonly CallPart[]>;

/** Opens the first round; rejects when it fails before anything visible, so that the AI SDK can retry the call. */
export async function startCall(options: LoopOptions): Promise<StartedCall> {
  const { history = readApprovals(options.call.messages) } = options;
  const loop = new CallLoop(options, history, history.isEmpty ? undefined : await import('./resume.js'));
  const round = await loop.start();
  return {
    requestBody: round?.requestBody,
    requestUrl: round?.requestUrl,
    responseHeaders: round?.responseHeaders,
    run: (emit) => loop.run(round, emit),
  };
}

class CallLoop {
  readonly #options: LoopOptions;
  /** The prompt; calls that the user has allowed are added before the first round. */
  #prompt: readonly Turn[];
  /** Set if the prompt ends with calls without an output. */
  readonly #approvedCalls: ApprovedCalls | undefined;
  readonly #ids;
  /** The ids of the last attempt at this round. */
  #roundIds: RoundIds | undefined;
  readonly #next: NextRound;
  readonly #events: CallEvents | undefined;
  readonly #record: CallRecord;
  /** Turns of each round. Only grows. */
  #added: readonly (readonly Turn[])[] = [];
  /** The items of the conversation, once a round has added some. */
  #known: KnownItems | undefined;
  /** The round under way is the last one: the model was asked to answer without tools. */
  #closing = false;
  readonly #boundary: Boundary;
  #emit: EmitParts = () => undefined;

  /** `resume`: the code for calls with a question to the user, loaded if needed. */
  constructor(options: LoopOptions, history: ApprovalHistory, resume: typeof import('./resume.js') | undefined) {
    const { call, observer } = options;
    this.#options = options;
    this.#prompt = history.turns;
    this.#ids = createCallIds(call.messages);
    this.#record = new CallRecord(options);
    this.#next = new NextRound(options);
    const emit = (parts: readonly CallPart[]): Promise<void> | undefined => this.#emitSome(parts);
    this.#boundary = new Boundary({ options, ids: this.#ids, next: this.#next, record: this.#record, emit });
    // The call that the user has answered fulfilled a forced choice.
    if (history.isAsking) this.#next.endForce();
    this.#events = observer === undefined ? undefined : new CallEvents(options, observer);
    if (resume === undefined) return;
    const warn = (message: string): void => void this.#record.warnings.push(message);
    this.#approvedCalls = new resume.ApprovedCalls(options, history, this.#ids.forRound(0), warn);
  }

  async start(): Promise<Round | undefined> {
    this.#approvedCalls?.announce();
    // Once a tool may run, errors are parts.
    if (this.#approvedCalls?.isNeeded === true) return undefined;
    try {
      return await this.#open();
    } catch (error) {
      this.#events?.end('error', error);
      throw error;
    }
  }

  async #open(): Promise<Round> {
    const { openRound, ends: signal } = this.#options;
    const { tools, toolChoice } = this.#next;
    if (signal.aborted) throw abortError(signal);
    const { last, rounds } = this.#record;
    const index = rounds.length;
    this.#roundIds = undefined;
    this.#events?.roundStart(index, tools);
    return raceAbort(
      openRound({
        index,
        prompt: this.#prompt,
        added: this.#added,
        // The server may not have kept a broken response.
        previousResponseId: last?.outcome === 'completed' ? last.responseId : undefined,
        tools,
        offered: () => offeredAtFirst(this.#options),
        toolChoice,
        closing: this.#closing,
        isResumed: this.#approvedCalls?.isNeeded === true,
        signal,
        newIds: () => (this.#roundIds = this.#ids.forRound(index)),
      }),
      signal,
    );
  }

  async run(first: Round | undefined, emit: EmitParts): Promise<void> {
    this.#emit = emit;
    try {
      let round = first ?? (await this.#resume());
      while (round !== undefined) round = await this.#runRound(round);
    } catch (error) {
      this.#events?.end('error', error);
      // An abort just ends the stream; the AI SDK reports it itself.
      if (this.#options.signal.aborted) return;
      const rejected = this.#options.plugin?.rejected;
      const stopped = this.#boundary.stop();
      const failure = rejected ? ({ type: 'error', error: rejected.error } as const) : this.#record.failure(error);
      // The break was in or between rounds, so the server's last reason does not apply.
      const { rawFinishReason: _raw, ...finish } = this.#finish('error');
      await this.#emit([...stopped, failure, finish]);
    }
  }

  /** Runs the allowed calls; no round follows if the user still has to answer. */
  async #resume(): Promise<Round | undefined> {
    const approvedCalls = this.#approvedCalls;
    if (approvedCalls === undefined) return undefined;
    for await (const parts of approvedCalls.run()) await this.#emitSome(parts);
    this.#record.addRuns(approvedCalls.outputs);
    if (this.#next.mayOpen) await this.#next.open(approvedCalls.outputs);
    this.#prompt = approvedCalls.turns();
    if (approvedCalls.waits) return this.#end('tool-calls');
    this.#closing = this.#record.mustClose();
    return this.#open();
  }

  /** Emits a round, runs its calls, and opens the round that follows, if one does. */
  async #runRound(round: Round): Promise<Round | undefined> {
    const run = await this.#read(round);
    const { plugin } = this.#options;
    if (plugin?.rejected !== undefined) {
      await this.#answerCalls(run, { runTools: false, refusal: INTERRUPTED_TEXT });
      throw plugin.rejected.error;
    }
    const step = nextStep(run, { closing: this.#closing });
    await this.#answerCalls(run, step);
    await this.#emitSome(await run.finishRound({ callsClient: step.finishReason === 'tool-calls' }));
    const again = goesAgain(step, run);
    this.#takeIn(run, step);
    await this.#record.warnOfWithheld(run.result?.responseFacts);
    const goingOn = step.error && (await this.#record.afterBreak(run, step.error));
    if (goingOn !== undefined) return this.#goOn(run, round, goingOn);
    if (step.error !== undefined) {
      const stopped = this.#boundary.stop();
      await this.#emit([...stopped, this.#record.failure(step.error)]);
    }
    if (again || this.#awaitsLate(step)) return this.#openNext(run, round);
    if (this.#options.onSettled !== undefined) this.#add(run, { round, next: this.#next, late: [] });
    return this.#end(step.finishReason, step.error);
  }

  /** Whether the model has finished, and reads late outputs in one more round. */
  #awaitsLate({ finishReason }: NextStep): boolean {
    return finishReason === 'stop' && !this.#closing && (this.#options.late?.size ?? 0) > 0;
  }

  #add(run: RoundRun, { round: { origin }, next: { tools, texts }, late }: Settled): void {
    this.#known ??= new KnownItems(this.#prompt);
    const turns = run.turns(this.#known, origin, late);
    this.#added = [...this.#added, turns];
    this.#options.onSettled?.({ round: this.#record.rounds.length - 1, prompt: this.#prompt, tools, texts, turns });
  }

  /** Requests the rest of a broken round, which counts as the same round between rounds. */
  #goOn(run: RoundRun, round: Round, { ask, texts }: GoingOn): Promise<Round> {
    this.#add(run, { round, next: this.#next, late: [] });
    this.#added = [...this.#added, [userTurn(ask)]];
    this.#next.goOn(ask, texts);
    this.#closing ||= this.#record.mustClose();
    return this.#open();
  }

  async #openNext(run: RoundRun, round: Round): Promise<Round | undefined> {
    const { tools, texts: before } = this.#next;
    const needsLate = run.calls === undefined || run.calls.tools.calls.answered().length === 0;
    this.#next.settled();
    const { late, change, ends } = await this.#boundary.cross(run, { needsLate });
    this.#add(run, { round, next: { tools, texts: before }, late });
    if (ends !== undefined) return this.#end(ends);
    const { texts = [], stop } = change;
    if (texts.length > 0) this.#added = [...this.#added, texts.map(userTurn)];
    this.#closing = this.#record.mustClose() || stop === 'answer';
    const next = await this.#open();
    this.#options.between?.opened();
    return next;
  }

  async #end(finishReason: FinishReason, error?: Error): Promise<undefined> {
    await this.#boundary.settle();
    // Before the last part, because its reader may flush observers and stop.
    this.#events?.end(finishReason, error);
    await this.#emit([this.#finish(finishReason)]);
  }

  /** Emits the model's output of a round. */
  async #read({ batches, warnings = [] }: Round): Promise<RoundRun> {
    const { signal, ends } = this.#options;
    const { rounds, toolBudget } = this.#record;
    this.#record.warnings.push(...warnings);
    const index = rounds.length;
    const ids = this.#roundIds ?? this.#ids.forRound(index);
    const { options, ...next } = this.#next.take();
    const place = { index, closing: this.#closing, toolBudget, before: [this.#prompt, ...this.#added], ids, ...next };
    const run = new RoundRun(options, place);
    let isOver = false;
    const take: OnValue<readonly RoundPart[]> = (batch) => {
      // The source may learn of the end later.
      if (isOver) return false;
      const parts = run.take(batch);
      if (parts.length > 0) this.#events?.notes('firstPartMs');
      const emitting = this.#emitSome(parts) ?? true;
      return run.calls?.exceeded === undefined && emitting;
    };
    try {
      await raceAbort(toPushStream(batches)(take), ends);
      const exceeded = run.calls?.exceeded;
      if (exceeded !== undefined && run.result === undefined) await this.#emitSome(run.endWithError(exceeded));
    } catch (error) {
      if (signal.aborted) throw error;
      await this.#emitSome(run.endWithError(toCleanError(error, this.#options.redactor ?? Redactor.NONE)));
    } finally {
      isOver = true;
      this.#events?.notes('answerMs');
    }
    await this.#emitSome(run.afterRead());
    return run;
  }

  async #answerCalls(run: RoundRun, how: Pick<NextStep, 'runTools' | 'refusal'>): Promise<void> {
    if (run.calls === undefined) return;
    try {
      await this.#answer(run.calls, how);
    } catch (error) {
      // Parts that waited for a carrier are closed; nothing is sent after an abort.
      if (!this.#options.signal.aborted) await this.#emitSome(run.flushHeld());
      throw error;
    }
  }

  async #answer({ tools }: RoundCalls, { runTools, refusal }: Pick<NextStep, 'runTools' | 'refusal'>): Promise<void> {
    // Only after earlier parts were read, because a consumer that stops there may not want them to run.
    if (runTools) await this.#emit([]);
    if (runTools) tools.run();
    else tools.cancelRemaining(refusal);
    for (let own = await tools.next(); own !== undefined; own = await tools.next())
      if (own.fate.shownAs !== undefined) await this.#emit([toResultPart(own)]);
  }

  #emitSome(parts: readonly CallPart[]): Promise<void> | undefined {
    if (parts.length === 0) return undefined;
    return parts.length > SLICE ? emitSlices(this.#emit, parts, this.#options.signal) : this.#emit(parts);
  }

  #takeIn(run: RoundRun, { finishReason }: NextStep): void {
    const { result, calls } = run;
    if (result === undefined) return;
    const { modelId } = this.#next;
    this.#record.addRound(run, result, { finishReason, modelId });
    this.#events?.roundEnd(result, calls?.count ?? 0, modelId);
    if (this.#closing && calls?.tools.calls.isOutstanding === true)
      this.#record.warnings.push('The model called tools again, although it was asked to answer without them.');
  }

  #finish(finishReason: FinishReason): CallFinish {
    const resumed = this.#approvedCalls?.isNeeded === true ? this.#approvedCalls.outputs : undefined;
    return this.#record.finish(finishReason, resumed);
  }
}

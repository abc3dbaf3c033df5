import { errorOutput, INTERRUPTED_TEXT, type ToolCallContent } from '../core/message.js';
import type { UserVoice } from '../tools/call/approval.js';
import type { ExecuteToolCallOptions, ToolRun } from '../tools/call/call-scope.js';
import { executeToolCall, type ToolCallOutcome } from '../tools/call/execute-tool-call.js';
import { followAbort, raceAbort } from '../util/abort.js';
import type { Fate } from './fate.js';
import type { LoopOptions, RoundPlace } from './loop-options.js';
import { type AnsweredCall, type OwnCall, OwnCalls } from './own-calls.js';
import { type Decide, Schedule, ToolBudget } from './schedule.js';
import { answerUnknownTool } from './unknown-tool.js';

/** Returns the view of a run as a preliminary result; nothing if the run has ended meanwhile. */
async function viewOf(own: OwnCall): Promise<AnsweredCall | undefined> {
  const output = own.output === undefined ? await own.view?.take() : undefined;
  const { call, fate, acted, answeredByServer } = own;
  return output && { call, fate, acted, answeredByServer, output, isPreliminary: true };
}

interface RunOptions {
  readonly signal: AbortSignal;
  readonly decide: Decide | undefined;
  readonly steps?: ToolRun | undefined;
}

const OVER_BUDGET = 'Not run: the limit on tool calls was reached.';
/** The call needs no place, because it cannot act or `maxToolCalls` has no limit. */
const FREE: Decide = () => {};

/** Runs the calls of one round within its schedule and `maxToolCalls`. */
export class ToolRunner {
  /** Whether any tool of this round has begun to act. */
  started = false;
  /** A call did not run because `maxToolCalls` was reached. */
  isOverBudget = false;
  readonly warnings = new Set<string>();
  readonly calls = new OwnCalls();
  readonly schedule: Schedule;
  readonly #options: LoopOptions;
  readonly #round: RoundPlace;
  #early: OwnCall[] = [];
  readonly #budget: ToolBudget | undefined;
  /** The response is complete, so its calls are final. */
  #mayRunOn = false;

  constructor(options: LoopOptions, round: RoundPlace) {
    this.#options = options;
    this.#round = round;
    this.schedule = new Schedule(options.limits.toolConcurrency);
    this.#budget = Number.isFinite(round.toolBudget) ? new ToolBudget(round.toolBudget) : undefined;
  }

  /** Takes a complete call; `startEarly` starts it if that can do no harm before the round ends. */
  add(call: ToolCallContent, fate: Fate, user: UserVoice): void {
    const own = this.calls.add(call, fate, user);
    const mayStart = this.schedule.add({ callId: call.callId, overlaps: fate.overlaps }) === 'start';
    // A plugin needs the order of the calls, which is known at the end of the round.
    const isEarly = fate.tool !== undefined && this.#options.plugin === undefined && !this.#round.closing;
    if (mayStart && isEarly) this.#early.push(own);
  }

  /** Starts what was added and may run while the model still streams. */
  startEarly(): void {
    const early = this.#early;
    if (early.length === 0) return;
    this.#early = [];
    for (const own of early) {
      this.schedule.startedEarly(own.call.callId);
      this.#start(own);
    }
  }

  run(): void {
    this.startEarly();
    const waiting: { readonly callId: string; readonly overlaps: boolean }[] = [];
    const started: OwnCall[] = [];
    for (const own of this.calls.all) {
      const { call, fate, answeredByServer, running } = own;
      // Does not wait for a run whose output is in the response.
      if (answeredByServer) this.schedule.ended(call.callId);
      else if (running === undefined) waiting.push({ callId: call.callId, overlaps: fate.overlaps });
      else if (own.acted && own.output === undefined) started.push(own);
    }
    this.#mayRunOn = true;
    this.#goOn(this.schedule.close(waiting));
    for (const own of started) this.#letRunOn(own);
  }

  /** Takes a call whose tool was called out of the round, if the model need not wait for it. */
  #letRunOn(own: OwnCall): void {
    const { late } = this.#options;
    if (!this.#mayRunOn || late?.mayRunOn(own) !== true) return;
    own.runsOn = true;
    late.add(own);
    this.#goOn(this.schedule.runsOn(own.call.callId));
  }

  /** Answers calls that never ran or never ended with an explanation, so that each has an output. */
  cancelRemaining(reason: string): void {
    for (const own of this.calls.all) {
      own.stop?.(new Error(reason));
      if (own.running === undefined && own.output === undefined) this.calls.answer(own, errorOutput(reason));
    }
    const running = this.calls.all.flatMap(({ answeredByServer, running: run = [] }) => (answeredByServer ? [] : run));
    void Promise.all(running).then(() => {
      // The user is not asked about a call that will not run.
      if (!this.#isGivenUp) this.calls.answerRest(reason);
      this.calls.answers.end();
    });
  }

  /** Returns the next call to have its output, or a view of one that runs; `undefined` when all have their outputs. */
  async next(): Promise<AnsweredCall | undefined> {
    const { signal, plugin } = this.#options;
    const next = await raceAbort(this.calls.answers.next(), signal);
    if (plugin?.rejected === undefined) {
      if (next === undefined || !('viewed' in next)) return next && this.calls.handOut(next);
      return (await raceAbort(viewOf(next.viewed), signal)) ?? this.next();
    }
    const { error, isFinal } = plugin.rejected;
    const rest = isFinal ? this.calls.handOutRest(errorOutput(INTERRUPTED_TEXT)) : undefined;
    if (rest === undefined) throw error;
    return rest;
  }

  #start(own: OwnCall): void {
    const { RunView } = this.#options;
    if (RunView !== undefined && own.fate.shownAs !== undefined)
      own.view = new RunView(this.#options, () => this.#viewed(own));
    const goOn = (): void => {
      own.view?.end();
      this.#goOn(this.schedule.ended(own.call.callId));
      if (own.runsOn === true) this.#options.late?.ended(own);
    };
    // It rejects only if no caller waits for its output.
    own.running = this.#execute(own).then(goOn, goOn);
  }

  #viewed(own: OwnCall): void {
    if (own.runsOn === true) this.#options.late?.viewed(own);
    else this.calls.answers.push({ viewed: own });
  }

  #goOn(next: readonly string[]): void {
    if (this.#isGivenUp) return this.calls.answers.end();
    for (const callId of next) {
      const own = this.calls.get(callId);
      if (own !== undefined) this.#start(own);
    }
    if (this.schedule.isDone) this.calls.answers.end();
  }

  async #execute(own: OwnCall): Promise<void> {
    const { controller, release } = followAbort(this.#options.ends);
    own.stop = (reason) => controller.abort(reason);
    const steps = this.#options.plugin?.tool(own.call.callId, own.call.name);
    let decide: Decide | undefined;
    try {
      const place = own.fate.tool !== undefined && this.#budget !== undefined ? this.#budget.take() : FREE;
      // Awaited only if needed, so that a tool can start in this turn of the event loop.
      decide = place instanceof Promise ? await place : place;
      const outcome = await this.#outcomeOf(own, { signal: controller.signal, decide, steps });
      if (outcome === 'awaits-user') own.awaitsUser = true;
      else this.calls.answer(own, outcome);
    } catch (error) {
      if (this.#isGivenUp) throw error;
      this.calls.answer(own, errorOutput(error instanceof Error ? error.message : String(error)));
    } finally {
      release();
      // It ended before its run.
      decide?.(false);
      steps?.pass();
    }
  }

  /** The model no longer needs the tools' results. */
  get #isGivenUp(): boolean {
    const { signal, plugin } = this.#options;
    return signal.aborted || plugin?.rejected !== undefined;
  }

  /** `decide` is `undefined` for a call without a place. */
  async #outcomeOf(own: OwnCall, run: RunOptions): Promise<ToolCallOutcome> {
    const { tool } = own.fate;
    const { decide, steps } = run;
    if (steps !== undefined) await raceAbort(steps.ready, run.signal);
    if (tool === undefined) return answerUnknownTool(own, this.#options);
    if (decide !== undefined)
      return executeToolCall({ tool, argumentsText: own.call.arguments, ...this.#how(own, run) });
    this.isOverBudget = true;
    return errorOutput(OVER_BUDGET);
  }

  #how(own: OwnCall, { signal, decide, steps }: RunOptions): Omit<ExecuteToolCallOptions, 'tool' | 'argumentsText'> {
    const { call, user } = own;
    return {
      scope: this.#options,
      callId: call.callId,
      origin: { owner: this.#options.call, responseId: this.#round.responseId },
      round: this.#round.index,
      signal,
      user,
      steps,
      onProgress: own.view && ((step) => own.view?.note(step)),
      onUnreachable: () =>
        this.warnings.add(
          `A call of "${call.name}" was denied: it needs the user's approval, which takes a model of responses-loop/v3 or /v4 that shows its tools, or an "approve" that decides.`,
        ),
      onDecided: (runs) => {
        own.acted = runs;
        this.started ||= runs;
        decide?.(runs);
        if (runs) this.#letRunOn(own);
      },
    };
  }
}

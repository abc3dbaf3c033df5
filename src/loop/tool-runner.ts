import { errorOutput, INTERRUPTED_TEXT } from '../core/message.js';
import type { RoundToolCall } from '../core/part.js';
import type { UserVoice } from '../tools/call/approval.js';
import type { ExecuteToolCallOptions, ToolRun } from '../tools/call/call-scope.js';
import { executeToolCall, type ToolCallOutcome } from '../tools/call/execute-tool-call.js';
import type { LoopTool } from '../tools/loop-tool.js';
import { followAbort, raceAbort } from '../util/abort.js';
import type { LoopOptions, RoundPlace } from './loop-options.js';
import { type AnsweredCall, CallOrder, type OwnCall, OwnCalls, settled } from './own-calls.js';
import { mayOverlap } from './tool-ownership.js';
import { answerUnknownTool } from './unknown-tool.js';

interface RunOptions {
  readonly signal: AbortSignal;
  readonly decide: Decide | undefined;
  readonly steps?: ToolRun | undefined;
}

const OVER_BUDGET = 'Not run: the limit of tool calls was reached.';
/** No place is counted: the call cannot act, or `maxToolCalls` has no limit. */
const FREE: Decide = () => {};

/**
 * Runs the calls of one round. With `toolConcurrency: 'auto'` read-only tools may start while the model still streams, and
 * every other waits for the end of the round and runs alone; with a number so many run at once, after the round. Calls keep the order the model made them in wherever the order can matter.
 */
export class ToolRunner {
  /** Whether any tool of this round has begun to act. */
  started = false;
  /** A call did not run because `maxToolCalls` was reached. */
  isOverBudget = false;
  readonly warnings = new Set<string>();
  readonly calls = new OwnCalls();
  /** What of the round has begun: a call may stand behind one that is not complete yet. */
  readonly order = new CallOrder();
  readonly #options: LoopOptions;
  readonly #round: RoundPlace;
  #early: OwnCall[] = [];
  readonly #budget: ToolBudget | undefined;

  constructor(options: LoopOptions, round: RoundPlace) {
    this.#options = options;
    this.#round = round;
    this.#budget = Number.isFinite(round.toolBudget) ? new ToolBudget(round.toolBudget) : undefined;
  }

  /** Takes a complete call; `startEarly` starts it if that can do no harm before the round ends. */
  add(call: RoundToolCall, tool: LoopTool | undefined, user: UserVoice): void {
    const own = this.calls.add(call, tool, user);
    const behindWrite = this.order.complete(call.callId, mayOverlap(tool));
    const { limits, plugin } = this.#options;
    // The order of the calls is known at the end of the round, and a plugin goes by it.
    const startsEarly = limits.toolConcurrency === 'auto' && plugin === undefined;
    const mayStart = startsEarly && !this.#round.closing && !behindWrite;
    if (mayStart && tool?.tool.readOnly === true) this.#early.push(own);
  }

  /** Starts what was added and may run while the model still streams. */
  startEarly(): void {
    const early = this.#early;
    this.#early = [];
    for (const own of early) void this.#start(own);
  }

  run(): void {
    const { toolConcurrency } = this.#options.limits;
    void this.#endAfter(toolConcurrency === 'auto' ? this.#runByKind() : this.#runLimited(toolConcurrency));
  }

  /** Answers what never ran, or never got to its end, with an explanation: no call stays without an output. */
  cancelRemaining(reason: string): void {
    for (const own of this.calls.all) {
      own.stop?.(new Error(reason));
      if (own.running === undefined && own.output === undefined) this.calls.answer(own, errorOutput(reason));
    }
    // The user is not asked about a call that will not run.
    void this.#endAfter(settled(this.calls.all).then(() => this.calls.answerRest(reason)));
  }

  /** The next call to have its output; `undefined` when all have theirs. */
  async next(): Promise<AnsweredCall | undefined> {
    const { signal, plugin } = this.#options;
    const answered = await raceAbort(this.calls.answers.next(), signal);
    if (plugin?.rejected === undefined) return answered && this.calls.handOut(answered);
    const { error, isFinal } = plugin.rejected;
    const rest = isFinal ? this.calls.handOutRest(errorOutput(INTERRUPTED_TEXT)) : undefined;
    if (rest === undefined) throw error;
    return rest;
  }

  async #endAfter(all: Promise<void>): Promise<void> {
    try {
      await all;
    } catch (error) {
      // After an abort the results are not read any more; anything else must not leave a call without an output.
      if (!this.#isGivenUp) this.calls.answerRest(`Not run: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.calls.answers.end();
    }
  }

  /** Only what has started since the last writing call is waited for: everything before that has ended. */
  async #runByKind(): Promise<void> {
    let underWay: OwnCall[] = [];
    for (const own of this.calls.all) if (own.running !== undefined) underWay.push(own);
    for (const own of this.calls.all) {
      if (mayOverlap(own.tool)) {
        if (own.running === undefined) underWay.push(own);
        void this.#start(own);
        continue;
      }
      await settled(underWay);
      underWay = [];
      await this.#start(own);
    }
    await settled(underWay);
  }

  async #runLimited(limit: number): Promise<void> {
    const { all } = this.calls;
    const waiting = all.values();
    const worker = async (): Promise<void> => {
      for (const own of waiting) await this.#start(own);
    };
    await Promise.all(Array.from({ length: Math.min(limit, all.length) }, worker));
  }

  #start(own: OwnCall): Promise<void> {
    if (own.answeredByServer) return Promise.resolve();
    own.running ??= this.#execute(own);
    // An abort is seen by what waits for the run; a started call that is not waited for yet must not count as unhandled.
    own.running.catch(() => {});
    return own.running;
  }

  async #execute(own: OwnCall): Promise<void> {
    const { controller, release } = followAbort(this.#options.ends);
    own.stop = (reason) => controller.abort(reason);
    const steps = this.#options.plugin?.tool(own.call.callId, own.call.name);
    let decide: Decide | undefined;
    try {
      const place = own.tool !== undefined && this.#budget !== undefined ? this.#budget.take() : FREE;
      // Not awaited without need: a tool that can start does so in this very turn.
      decide = place instanceof Promise ? await place : place;
      const outcome = await this.#outcomeOf(own, { signal: controller.signal, decide, steps });
      if (outcome === 'awaits-user') own.awaitsUser = true;
      else this.calls.answer(own, outcome);
    } catch (error) {
      if (this.#isGivenUp) throw error;
      this.calls.answer(own, errorOutput(error instanceof Error ? error.message : String(error)));
    } finally {
      release();
      // It was ended before it ran.
      decide?.(false);
      steps?.pass();
    }
  }

  /** Nothing of what the tools give is for the model any more. */
  get #isGivenUp(): boolean {
    const { signal, plugin } = this.#options;
    return signal.aborted || plugin?.rejected !== undefined;
  }

  /** `decide` is `undefined` for a call that found no place left. */
  async #outcomeOf(own: OwnCall, run: RunOptions): Promise<ToolCallOutcome> {
    const { tool, call } = own;
    const { decide, steps } = run;
    if (steps !== undefined) await raceAbort(steps.ready, run.signal);
    if (tool === undefined) return answerUnknownTool(call, this.#options);
    if (decide !== undefined) return executeToolCall({ tool, argumentsText: call.arguments, ...this.#how(own, run) });
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
      onUnreachable: () =>
        this.warnings.add(
          `A call of "${call.name}" was denied: it needs the user's approval, which takes a model of responses-loop/v3 or /v4 that shows its tools, or an "approve" that decides.`,
        ),
      onDecided: (runs) => {
        own.acted = runs;
        this.started ||= runs;
        decide?.(runs);
      },
    };
  }
}

/** Says of a call that got a place whether it runs; counts the first time. One that does not gives its place back. */
type Decide = (runs: boolean) => void;

type Waiting = (decide: Decide | undefined) => void;

/**
 * How many tools of a round may run. A call that finds all places taken waits until it is known whether the calls before it
 * run: so the order of the calls alone says which of them do, not the moment at which each arrived or was approved.
 */
class ToolBudget {
  #left: number;
  /** Places of calls of which it is not known yet whether they run. */
  #undecided = 0;
  readonly #waiting: Waiting[] = [];
  /** The first in `#waiting` that still waits. */
  #next = 0;

  constructor(places: number) {
    this.#left = places;
  }

  /** A place, at once if there is one; `undefined` when every place belongs to a call that runs. */
  take(): Decide | undefined | Promise<Decide | undefined> {
    if (this.#left > 0) return this.#give();
    if (this.#undecided === 0) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #give(): Decide {
    this.#left -= 1;
    this.#undecided += 1;
    let isDecided = false;
    return (runs) => {
      if (isDecided) return;
      isDecided = true;
      this.#undecided -= 1;
      if (!runs) this.#left += 1;
      this.#serve();
    };
  }

  #serve(): void {
    for (; this.#left > 0 || this.#undecided === 0; this.#next += 1) {
      const first = this.#waiting[this.#next];
      if (first === undefined) return;
      first(this.#left > 0 ? this.#give() : undefined);
    }
  }
}

import type { CallToolResult, RoundToolCall } from '../core/part.js';
import { errorOutput, type Message, type ToolOutput } from '../core/message.js';
import type { UserVoice } from '../tools/call/approval.js';
import { executeToolCall, type ExecuteToolCallOptions, type ToolCallOutcome } from '../tools/call/execute-tool-call.js';
import type { LoopTool } from '../tools/loop-tool.js';
import { followAbort } from '../util/abort.js';
import { type AsyncQueue, createAsyncQueue } from '../util/queues.js';
import { CallOrder } from './call-order.js';
import { limitsOfRun, type LoopOptions } from './loop-options.js';
import { cannotAsk, type AnsweredCall, mayOverlap, type OwnCall, settled, toAnswered, toResult } from './own-call.js';
import { type Decide, ToolBudget } from './tool-budget.js';
import { answerUnknownTool, maySendOn, runSentOn } from './unknown-tool.js';

/** Results of a round, one at a time; `undefined` when there are no more. */
export interface ToolResults {
  next(): Promise<CallToolResult | undefined>;
}

/** Where in its call a round stands. */
export interface RoundPlace {
  readonly index: number;
  /** The model was told to answer without tools: none is run. */
  readonly closing: boolean;
  /** How many tools may still run. */
  readonly toolBudget: number;
  /** What earlier rounds of this call added to the conversation. */
  readonly added?: readonly Message[];
}

const OVER_BUDGET = 'Not run: the limit of tool calls was reached.';
/** What becomes of a call of a tool that is not there costs nothing. */
const FREE: Decide = () => {};

/**
 * Runs the calls of one round. Read-only tools may start while the model still streams; every other waits for the end
 * of the round and runs alone. Calls keep the order the model made them in wherever the order can matter.
 */
export class ToolRunner {
  readonly #options: LoopOptions;
  readonly #round: RoundPlace;
  /** Of the response that the calls came with, where that is known. */
  responseId: string | undefined;
  #calls: OwnCall[] = [];
  readonly #byId = new Map<string, OwnCall>();
  /** Calls that may start before the round ends. */
  readonly #early: OwnCall[] = [];
  readonly #order = new CallOrder();
  readonly #warnings = new Set<string>();
  readonly #budget: ToolBudget;
  #started = false;
  /** A call did not run because `maxToolCalls` was reached. */
  isOverBudget = false;
  readonly #answered: AsyncQueue<OwnCall> = createAsyncQueue();
  /** Made for the first tool: most rounds have none. */
  #following: ReturnType<typeof followAbort> | undefined;

  constructor(options: LoopOptions, round: RoundPlace) {
    this.#options = options;
    this.#round = round;
    this.#budget = new ToolBudget(round.toolBudget);
  }

  get warnings(): readonly string[] {
    return [...this.#warnings];
  }

  /** Whether any tool of this round has begun to act. */
  get started(): boolean {
    return this.#started;
  }

  get count(): number {
    return this.#calls.length;
  }

  /** How many calls are ours to answer. */
  get outstanding(): number {
    return this.#calls.filter((own) => !own.answeredByServer).length;
  }

  get #abort(): AbortController {
    this.#following ??= followAbort(this.#options.ends);
    return this.#following.controller;
  }

  /** Calls that wait for the user's approval, in order. */
  get awaitingUser(): readonly RoundToolCall[] {
    return this.#calls.filter((own) => own.awaitsUser && own.output === undefined).map((own) => own.call);
  }

  /** Takes a complete call; `startEarly` starts it if that can do no harm before the round ends. */
  add(call: RoundToolCall, tool: LoopTool | undefined, user: UserVoice): void {
    const own: OwnCall = {
      call,
      tool,
      user,
      running: undefined,
      acted: false,
      output: undefined,
      awaitsUser: false,
      answeredByServer: false,
      abort: new AbortController(),
    };
    const behindWrite = this.#order.complete(call.callId, mayOverlap(own, this.#options));
    this.#calls.push(own);
    this.#byId.set(call.callId, own);
    const mayStart = this.#options.limits.toolConcurrency === 'auto' && !this.#round.closing && !behindWrite;
    if (mayStart && tool?.tool.readOnly === true) this.#early.push(own);
  }

  /** Starts what was added and may run while the model still streams. */
  startEarly(): void {
    for (const own of this.#early.splice(0)) void this.#start(own);
  }

  /** A call was begun: what is complete before it may stand behind it all the same. */
  announce(callId: string, overlaps: boolean): void {
    this.#order.begin(callId, overlaps);
  }

  /** The order the model made the calls in: servers may finish them in another. */
  order(callIds: readonly string[]): void {
    const place = new Map(callIds.map((callId, index) => [callId, index]));
    const placeOf = (own: OwnCall): number => place.get(own.call.callId) ?? callIds.length;
    this.#calls = this.#calls.toSorted((a, b) => placeOf(a) - placeOf(b));
  }

  /** Runs whatever has not run yet; results come as they are known, and end when all are. */
  run(): ToolResults {
    const { toolConcurrency } = this.#options.limits;
    return this.#drain(toolConcurrency === 'auto' ? this.#runByKind() : this.#runLimited(toolConcurrency));
  }

  /** Answers what never ran, or never got to its end, with an explanation: no call stays without an output. */
  windUp(reason: string): ToolResults {
    if (this.#calls.length > 0) this.#abort.abort(new Error(reason));
    for (const own of this.#calls)
      if (own.running === undefined && own.output === undefined) this.#answer(own, errorOutput(reason));
    return this.#drain(
      settled(this.#calls).then(() => {
        // Nobody is asked about a call that will not run.
        for (const own of this.#calls) if (own.awaitsUser) this.#answer(own, errorOutput(reason));
      }),
    );
  }

  /** The response brought this call's output along: it is not run, and what a run already started returns is not used. */
  takeServerAnswer(callId: string, output: ToolOutput): boolean {
    const own = this.#byId.get(callId);
    if (own === undefined) return false;
    own.answeredByServer = true;
    if (own.output === undefined) this.#answered.push(own);
    own.output = output;
    own.abort.abort(new Error('The response brought the output of this call along.'));
    return true;
  }

  /** Everything that has an output, in the order of the calls. */
  outputs(): AnsweredCall[] {
    return this.#calls.flatMap((own) => toAnswered(own) ?? []);
  }

  answerOf(callId: string): AnsweredCall | undefined {
    const own = this.#byId.get(callId);
    return own === undefined ? undefined : toAnswered(own);
  }

  calls(): readonly RoundToolCall[] {
    return this.#calls.map((own) => own.call);
  }

  #drain(all: Promise<void>): ToolResults {
    const end = (): void => {
      this.#following?.release();
      this.#answered.end();
    };
    all.then(end, (error: unknown) => {
      // After an abort nobody waits for results any more; anything else must not leave a call without an output.
      if (!this.#options.signal.aborted) this.#answerTheRest(error);
      end();
    });
    return { next: async () => toResult(await this.#answered.next()) };
  }

  #answerTheRest(error: unknown): void {
    const output = errorOutput(`Not run: ${error instanceof Error ? error.message : String(error)}`);
    for (const own of this.#calls) if (own.output === undefined) this.#answer(own, output);
  }

  /** Only what has started since the last writing call is waited for: everything before that has ended. */
  async #runByKind(): Promise<void> {
    let underWay = this.#calls.filter((own) => own.running !== undefined);
    for (const own of this.#calls) {
      if (mayOverlap(own, this.#options)) {
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
    const waiting = this.#calls.values();
    const worker = async (): Promise<void> => {
      for (const own of waiting) await this.#start(own);
    };
    await Promise.all(Array.from({ length: Math.min(limit, this.#calls.length) }, worker));
  }

  #start(own: OwnCall): Promise<void> {
    if (own.answeredByServer) return Promise.resolve();
    own.running ??= this.#execute(own);
    // An abort is seen by whoever waits for the run; a started call nobody waits for yet must not count as unhandled.
    own.running.catch(() => {});
    return own.running;
  }

  async #execute(own: OwnCall): Promise<void> {
    const mayAct = own.tool !== undefined || maySendOn(this.#options);
    const place = mayAct ? this.#budget.take() : FREE;
    // Not awaited without need: a tool that can start does so in this very turn.
    const decide = place instanceof Promise ? await place : place;
    if (decide === undefined && own.tool !== undefined) return this.#answer(own, this.#overBudget());
    const ends = followAbort(this.#abort.signal, own.abort.signal);
    try {
      const outcome = await this.#outcomeOf(own, ends.controller.signal, decide);
      if (outcome === 'awaits-user') own.awaitsUser = true;
      else this.#answer(own, outcome);
    } catch (error) {
      if (this.#options.signal.aborted) throw error;
      this.#answer(own, errorOutput(error instanceof Error ? error.message : String(error)));
    } finally {
      ends.release();
      // It was ended before it ran.
      decide?.(false);
    }
  }

  #overBudget(): ToolOutput {
    this.isOverBudget = true;
    return errorOutput(OVER_BUDGET);
  }

  async #outcomeOf(own: OwnCall, signal: AbortSignal, decide: Decide | undefined): Promise<ToolCallOutcome> {
    const { tool, call } = own;
    if (tool !== undefined)
      return executeToolCall({ tool, argumentsText: call.arguments, ...this.#how(own, { signal, decide }) });
    const { approve: _approve, ...how } = this.#how(own, { signal, decide: FREE });
    const answer = await answerUnknownTool(call, this.#options, how);
    if ('outcome' in answer) return answer.outcome;
    // The function has run; the tool has not.
    own.acted = false;
    if (decide === undefined) return this.#overBudget();
    return runSentOn(answer.sentOn, this.#how(own, { signal, decide }));
  }

  #how(
    own: OwnCall,
    { signal, decide }: { readonly signal: AbortSignal; readonly decide: Decide | undefined },
  ): Omit<ExecuteToolCallOptions, 'tool' | 'argumentsText'> {
    const { limits, observer, redactor, callNumber, now, approve, redactToolOutput } = this.#options;
    return {
      callId: own.call.callId,
      origin: { owner: this.#options.call, responseId: this.responseId },
      signal,
      user: own.user,
      approve,
      ...limitsOfRun(limits),
      redactOutput: redactToolOutput,
      onUnreachable: () => this.#warnings.add(cannotAsk(own.call.name)),
      onDecided: (runs: boolean) => {
        own.acted = runs;
        this.#started ||= runs;
        decide?.(runs);
      },
      callNumber,
      round: this.#round.index,
      observer,
      redactor,
      now,
    };
  }

  #answer(own: OwnCall, output: ToolOutput): void {
    if (own.answeredByServer) return;
    own.output = output;
    this.#answered.push(own);
  }
}

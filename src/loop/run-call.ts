import type { CarriedCall } from '../core/carrier.js';
import type { ReachedLimit } from '../core/limits.js';
import type { Message } from '../core/message.js';
import type { CallFinish, CallPart, RoundPart, RoundResult, RoundSummary } from '../core/part.js';
import { fromAsyncIterable, type OnValue } from '../core/push-stream.js';
import type { Round } from '../core/round.js';
import { isForced, type ToolChoice, type ToolDeclaration } from '../core/tool.js';
import { sumUsage } from '../core/usage.js';
import { afterTools } from '../errors/after-tools.js';
import { limitOf } from '../errors/limit-reached.js';
import { abortError, raceAbort } from '../util/abort.js';
import { toError } from '../util/error-text.js';
import { warnOfCallInText } from './call-in-text.js';
import { toCarried } from './call-parts.js';
import { CallEvents } from './call-events.js';
import { createCallIds } from './call-ids.js';
import { inSlices } from './in-slices.js';
import type { LoopOptions } from './loop-options.js';
import { goesAgain, type NextStep, nextStep } from './next-step.js';
import { readApprovals } from './read-approvals.js';
import { limitWarning, reachedLimit } from './reached-limit.js';
import { RepeatedRounds } from './repeated-rounds.js';
import type { Emit } from './pump.js';
import { Resumption } from './resume.js';
import { RoundRun } from './round-run.js';
import { summariesOf, withoutRawReason } from './summaries.js';
import type { AnsweredCall } from './own-call.js';
import type { ToolResults } from './tool-runner.js';
import { defined } from '../util/defined.js';

/** A call whose first round is open: from here on errors are parts. */
export interface StartedCall {
  readonly requestBody: unknown;
  readonly responseHeaders: Readonly<Record<string, string>> | undefined;
  /** Emits everything, `finish` last, or just ends when the call was aborted. Rejects only if emitting failed. */
  readonly run: (emit: EmitParts) => Promise<void>;
}
type EmitParts = Emit<readonly CallPart[]>;

/** Opens the first round; rejects when it fails before anything visible, so that the AI SDK can retry the call. */
export function startCall(options: LoopOptions): Promise<StartedCall> {
  return new CallLoop(options).start();
}

class CallLoop {
  readonly #options: LoopOptions;
  /** The prompt; what the user has allowed since stands in it before the first round. */
  #prompt: readonly Message[];
  readonly #resumption: Resumption;
  readonly #ids;
  readonly #declarations: readonly ToolDeclaration[];
  readonly #events: CallEvents;
  /** Only ever grows, and is never shared before it is complete. */
  #added: Message[] = [];
  #rounds: RoundSummary[] = [];
  #warnings: string[] = [];
  #toolCalls = 0;
  /** What tools of ours have done in this call, told with an error that ends it. */
  #completed: CarriedCall[] = [];
  #toolChoice: ToolChoice;
  #last: RoundResult | undefined;
  #limit: ReachedLimit | undefined;
  readonly #repeated = new RepeatedRounds();
  #emit: EmitParts = () => undefined;

  constructor(options: LoopOptions) {
    const { call, offer } = options;
    this.#options = options;
    this.#ids = createCallIds(call.messages);
    const { history = readApprovals(call.messages) } = options;
    this.#prompt = history.messages;
    const warn = (message: string): void => void this.#warnings.push(message);
    this.#resumption = new Resumption(options, { history, ids: this.#ids.forRound(0), warn });
    this.#declarations = [...offer.tools.map((tool) => tool.declaration), ...call.clientTools];
    // A choice that was honoured with a call the user has answered is not forced again.
    this.#toolChoice = isForced(call.toolChoice) && history.isAsking ? { type: 'auto' } : call.toolChoice;
    this.#events = new CallEvents(options, call.modelId);
  }

  get #index(): number {
    return this.#rounds.length;
  }

  async start(): Promise<StartedCall> {
    this.#resumption.announce();
    // From the moment a tool may run on, errors are parts.
    if (this.#resumption.isNeeded) return this.#started(undefined);
    try {
      const round = await this.#open(false);
      return this.#started(round);
    } catch (error) {
      this.#events.end('error', this.#index, error);
      throw error;
    }
  }

  #started(round: Round | undefined): StartedCall {
    return {
      requestBody: round?.requestBody,
      responseHeaders: round?.responseHeaders,
      run: (emit) => {
        this.#emit = inSlices(emit, this.#options.signal);
        return this.#run(round);
      },
    };
  }

  async #open(closing: boolean): Promise<Round> {
    const { openRound, ends: signal } = this.#options;
    if (signal.aborted) throw abortError(signal);
    const index = this.#index;
    this.#events.roundStart(
      index,
      this.#declarations.map((tool) => tool.name),
    );
    return raceAbort(
      openRound({
        index,
        prompt: this.#prompt,
        added: this.#added,
        // A response that broke off may not have been kept.
        previousResponseId: this.#last?.outcome === 'completed' ? this.#last.responseId : undefined,
        tools: this.#declarations,
        toolChoice: this.#toolChoice,
        closing,
        isResumed: this.#resumption.isNeeded,
        signal,
        newIds: () => this.#ids.forRound(index),
      }),
      signal,
    );
  }

  async #run(first: Round | undefined): Promise<void> {
    try {
      if (first === undefined) await this.#resume();
      else await this.#runRounds(first, false);
    } catch (error) {
      // An abort just ends the stream; the AI SDK reports it itself.
      if (!this.#options.signal.aborted)
        await this.#emit([this.#failure(error), withoutRawReason(this.#finish('error'))]);
      this.#events.end('error', this.#index, error);
    }
  }

  /** Runs what the user has allowed; no round where the user still has to answer. */
  async #resume(): Promise<void> {
    for await (const parts of this.#resumption.run()) await this.#tell(parts);
    this.#count(this.#resumption.outputs());
    this.#prompt = [...this.#prompt, ...this.#resumption.messages()];
    if (this.#resumption.waits) {
      await this.#emit([this.#finish('tool-calls')]);
      this.#events.end('tool-calls', this.#index);
      return;
    }
    const closing = this.#mustClose();
    await this.#runRounds(await this.#open(closing), closing);
  }

  async #runRounds(first: Round, isClosing: boolean): Promise<void> {
    let round = first;
    let closing = isClosing;
    for (;;) {
      this.#warnings.push(...(round.warnings ?? []));
      const toolBudget = this.#options.limits.maxToolCalls - this.#toolCalls;
      const place = { index: this.#index, closing, toolBudget, added: this.#added };
      const run = new RoundRun(this.#options, place, this.#ids.latest(this.#index));
      await this.#readRound(round, run);
      await this.#tell(run.read());
      const step = nextStep(run, { closing });
      await this.#passResults(run, await this.#runTools(run, step));
      await this.#tell(await run.settle({ callsClient: step.finishReason === 'tool-calls' }));
      const again = goesAgain(step, run);
      this.#record(run, step.finishReason);
      if (this.#declarations.length > 0 && !closing)
        this.#warnings.push(...warnOfCallInText(run.result?.content ?? []));
      if (closing && run.tools.outstanding > 0)
        this.#warnings.push('The model called tools again where it was asked to answer without them.');
      if (step.error !== undefined) await this.#emit([this.#failure(step.error)]);
      if (!again) {
        await this.#emit([this.#finish(step.finishReason)]);
        this.#events.end(step.finishReason, this.#index, step.error);
        return;
      }
      closing = this.#mustClose();
      round = await this.#open(closing);
    }
  }

  async #readRound({ batches }: Round, run: RoundRun): Promise<void> {
    const { signal, ends } = this.#options;
    let isOver = false;
    const take: OnValue<readonly RoundPart[]> = (batch) => {
      // The source may hear of the end later than we do.
      if (isOver) return false;
      const parts = run.take(batch);
      if (parts.length > 0) this.#events.firstPart();
      const emitting = this.#tell(parts) ?? true;
      return run.limit.exceeded === undefined && emitting;
    };
    try {
      await raceAbort(fromAsyncIterable(batches)(take), ends);
      const { exceeded } = run.limit;
      if (exceeded !== undefined && run.result === undefined) await this.#tell(run.breakOff(exceeded));
    } catch (error) {
      if (signal.aborted) throw error;
      await this.#tell(run.breakOff(toError(error)));
    } finally {
      isOver = true;
    }
  }

  /** Not before what came ahead of them was read: whoever stops reading there may not want them to run. */
  async #runTools({ tools }: RoundRun, { runTools, refusal }: NextStep): Promise<ToolResults> {
    if (!runTools) return tools.windUp(refusal);
    await this.#emit([]);
    return tools.run();
  }

  async #passResults(run: RoundRun, results: ToolResults): Promise<void> {
    for (;;) {
      const result = await raceAbort(results.next(), this.#options.signal);
      if (result === undefined) return;
      await this.#tell(run.show(result));
    }
  }

  #tell(parts: readonly CallPart[]): Promise<void> | undefined {
    return parts.length === 0 ? undefined : this.#emit(parts);
  }

  /** Takes a finished round into the books. */
  #record(run: RoundRun, finishReason: RoundSummary['finishReason']): void {
    const { result } = run;
    if (result === undefined) return;
    const outputs = run.tools.outputs();
    this.#added = [...this.#added, ...run.messages()];
    this.#last = result;
    this.#count(outputs);
    this.#repeated.note(outputs);
    if (run.tools.isOverBudget) this.#limit = { name: 'maxToolCalls', value: this.#options.limits.maxToolCalls };
    this.#warnings.push(...result.warnings, ...run.tools.warnings);
    // The loop went on from what was complete; that the rest is missing must be said.
    if (result.error !== undefined && finishReason !== 'error') this.#warnings.push(result.error.message);
    this.#events.roundEnd(result, run.tools.count + run.clientCalls.length);
    this.#rounds.push({
      finishReason: outputs.length > 0 && finishReason !== 'error' ? 'tool-calls' : finishReason,
      usage: result.usage,
      calls: [
        ...summariesOf(outputs),
        ...run.tools.awaitingUser.map(({ callId, name }) => ({ callId, name, origin: 'loop' as const })),
        ...run.clientCalls.map((call) => ({ callId: call.callId, name: call.name, origin: 'client' as const })),
      ],
      ...defined({ responseId: result.responseId }),
    });
    // A forced choice has been honoured; forcing it again would never end.
    if (isForced(this.#toolChoice)) this.#toolChoice = { type: 'auto' };
  }

  #count(outputs: readonly AnsweredCall[]): void {
    const ran = outputs.filter((answered) => answered.ran);
    this.#toolCalls += ran.length;
    this.#completed.push(...ran.map(({ call, output }) => toCarried(call, output)));
  }

  #mustClose(): boolean {
    this.#limit = reachedLimit(this.#options.limits, {
      maxRounds: this.#index,
      maxToolCalls: this.#toolCalls,
      maxRepeatedRounds: this.#repeated.inARow,
    });
    if (this.#limit !== undefined) this.#warnings.push(limitWarning(this.#limit));
    return this.#limit !== undefined;
  }

  #finish(finishReason: RoundSummary['finishReason']): CallFinish {
    const last = this.#last;
    return {
      type: 'finish',
      finishReason,
      ...defined({
        rawFinishReason: last?.rawFinishReason,
        responseFacts: last?.responseFacts,
        readBody: last?.readBody,
        logprobs: last?.logprobs,
        limit: this.#limit,
      }),
      usage: sumUsage(this.#rounds.map((round) => round.usage)),
      rounds: this.#rounds,
      ...(this.#resumption.isNeeded ? { resumed: summariesOf(this.#resumption.outputs()) } : {}),
      warnings: this.#options.redactor?.value(this.#warnings) ?? this.#warnings,
    };
  }

  #failure(error: unknown): CallPart {
    this.#limit = limitOf(error).limit ?? this.#limit;
    const completed = this.#options.redactor?.value(this.#completed) ?? this.#completed;
    return { type: 'error', error: afterTools(toError(error), completed) };
  }
}

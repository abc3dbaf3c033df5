import type { CallToolResult, RoundToolCall } from '../core/part.js';
import { errorOutput, type ToolOutput } from '../core/message.js';
import { executeToolCall } from '../tools/call/execute-tool-call.js';
import type { LoopTool } from '../tools/loop-tool.js';
import { followAbort } from '../util/abort.js';
import { type AsyncQueue, createAsyncQueue } from '../util/async-queue.js';
import type { LoopOptions } from './loop-options.js';
import { unknownToolMessage } from './tool-ownership.js';

/** A call of ours, in output order. */
interface OwnCall {
  readonly call: RoundToolCall;
  readonly tool: LoopTool | undefined;
  /** Set once it has been started; a call is started at most once. */
  running: Promise<void> | undefined;
  output: ToolOutput | undefined;
}

/**
 * Runs the calls of one round. Read-only tools may start while the model still streams; every other waits for the end
 * of the round and runs alone. Calls keep the order the model made them in wherever the order can matter.
 */
export class ToolRunner {
  readonly #options: LoopOptions;
  readonly #round: number;
  readonly #calls: OwnCall[] = [];
  readonly #results: AsyncQueue<CallToolResult> = createAsyncQueue();
  readonly #abort: ReturnType<typeof followAbort>;

  constructor(options: LoopOptions, round: number) {
    this.#options = options;
    this.#round = round;
    this.#abort = followAbort(options.signal);
  }

  /** Whether any tool of this round has begun to act. */
  get started(): boolean {
    return this.#calls.some((own) => own.running !== undefined && own.tool !== undefined);
  }

  get count(): number {
    return this.#calls.length;
  }

  /** Takes a complete call; starts it at once if that can do no harm. */
  add(call: RoundToolCall, tool: LoopTool | undefined): void {
    const own: OwnCall = { call, tool, running: undefined, output: undefined };
    const behindWrite = this.#calls.some((earlier) => !isReadOnly(earlier));
    this.#calls.push(own);
    if (this.#options.limits.toolConcurrency === 'auto' && tool?.tool.readOnly === true && !behindWrite) this.#start(own);
  }

  /** Runs whatever has not run yet; results come as they are known, the queue ends when all are. */
  run(): AsyncQueue<CallToolResult> {
    const { toolConcurrency } = this.#options.limits;
    return this.#drain(toolConcurrency === 'auto' ? this.#runByKind() : this.#runLimited(toolConcurrency));
  }

  /** Answers what never ran, or never got to its end, with an explanation: no call stays without an output. */
  windUp(reason: string): AsyncQueue<CallToolResult> {
    this.#abort.controller.abort(new Error(reason));
    for (const own of this.#calls) if (own.running === undefined) this.#answer(own, errorOutput(reason));
    return this.#drain(this.#settleStarted());
  }

  /** The server has answered this call itself. */
  drop(callIds: readonly string[]): void {
    for (const callId of callIds) {
      const at = this.#calls.findIndex((own) => own.call.callId === callId && own.running === undefined);
      if (at >= 0) this.#calls.splice(at, 1);
    }
  }

  /** Everything that has an output, in the order of the calls. */
  outputs(): { readonly call: RoundToolCall; readonly output: ToolOutput }[] {
    return this.#calls.flatMap(({ call, output }) => (output === undefined ? [] : [{ call, output }]));
  }

  calls(): readonly RoundToolCall[] {
    return this.#calls.map((own) => own.call);
  }

  #drain(all: Promise<void>): AsyncQueue<CallToolResult> {
    const end = (): void => {
      this.#abort.release();
      this.#results.end();
    };
    // A rejection is an abort, and then nobody waits for results any more.
    all.then(end, end);
    return this.#results;
  }

  async #settleStarted(): Promise<void> {
    await Promise.all(this.#calls.map((own) => own.running));
  }

  async #runByKind(): Promise<void> {
    for (const own of this.#calls) {
      if (isReadOnly(own)) {
        this.#start(own);
        continue;
      }
      await this.#settleStarted();
      await this.#start(own);
    }
    await this.#settleStarted();
  }

  async #runLimited(limit: number): Promise<void> {
    const waiting = this.#calls.values();
    const worker = async (): Promise<void> => {
      for (const own of waiting) await this.#start(own);
    };
    await Promise.all(Array.from({ length: Math.max(1, limit) }, worker));
  }

  #start(own: OwnCall): Promise<void> {
    own.running ??= this.#execute(own);
    // An abort is seen by whoever waits for the run; a started call nobody waits for yet must not count as unhandled.
    own.running.catch(() => {});
    return own.running;
  }

  async #execute(own: OwnCall): Promise<void> {
    const { call, offer, signal } = this.#options;
    if (own.tool === undefined) return this.#answer(own, errorOutput(unknownToolMessage(own.call.name, call, offer)));
    try {
      this.#answer(own, await this.#executeTool(own.call, own.tool));
    } catch (error) {
      if (signal.aborted) throw error;
      this.#answer(own, errorOutput(error instanceof Error ? error.message : String(error)));
    }
  }

  #executeTool(call: RoundToolCall, tool: LoopTool): Promise<ToolOutput> {
    const { limits, observer, callNumber, now } = this.#options;
    return executeToolCall({
      tool,
      callId: call.callId,
      argumentsText: call.arguments,
      signal: this.#abort.controller.signal,
      callNumber,
      round: this.#round,
      now,
      ...(limits.toolTimeoutMs === undefined ? {} : { timeoutMs: limits.toolTimeoutMs }),
      ...(limits.maxToolOutputChars === undefined ? {} : { maxOutputChars: limits.maxToolOutputChars }),
      ...(observer === undefined ? {} : { observer }),
    });
  }

  #answer(own: OwnCall, output: ToolOutput): void {
    own.output = output;
    this.#results.push({ type: 'tool-result', callId: own.call.callId, name: own.call.name, output });
  }
}

/** A call nobody can run acts on nothing, so it may be answered whenever. */
function isReadOnly(own: OwnCall): boolean {
  return own.tool === undefined || own.tool.tool.readOnly;
}

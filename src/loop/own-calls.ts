import { errorOutput, type ToolOutput } from '../core/message.js';
import type { CallToolResult, RoundSummary, RoundToolCall } from '../core/part.js';
import type { UserVoice } from '../tools/call/approval.js';
import type { LoopTool } from '../tools/loop-tool.js';
import { AsyncQueue } from '../util/queues.js';

/** A call of ours. */
export interface OwnCall {
  readonly call: RoundToolCall;
  readonly tool: LoopTool | undefined;
  readonly user: UserVoice;
  /** Set once it has been started; a call is started at most once. */
  running?: Promise<void>;
  /** Ends a run of this call alone. */
  stop?: (reason: Error) => void;
  /** The tool itself has been called: nothing kept it from running. */
  acted: boolean;
  output?: ToolOutput;
  /** Its turn has come, and the user has to be asked. */
  awaitsUser: boolean;
  /** The response held the output already. */
  answeredByServer: boolean;
}

/** A call that has its output. */
export interface AnsweredCall {
  readonly call: RoundToolCall;
  readonly output: ToolOutput;
  /** A tool of ours has acted for it. */
  readonly ran: boolean;
  readonly answeredByServer: boolean;
}

/** The calls of a round that are ours to answer, in output order, and their answers as they come. */
export class OwnCalls {
  all: OwnCall[] = [];
  readonly #byId = new Map<string, OwnCall>();
  readonly #answered = new AsyncQueue<OwnCall>();

  add(call: RoundToolCall, tool: LoopTool | undefined, user: UserVoice): OwnCall {
    const own: OwnCall = { call, tool, user, acted: false, awaitsUser: false, answeredByServer: false };
    this.all.push(own);
    this.#byId.set(call.callId, own);
    return own;
  }

  /** The order the model made the calls in: servers may finish them in another. */
  order(callIds: readonly string[]): void {
    if (this.all.length < 2) return;
    const place = new Map(callIds.map((callId, index) => [callId, index]));
    const placeOf = (own: OwnCall): number => place.get(own.call.callId) ?? callIds.length;
    this.all = this.all.toSorted((a, b) => placeOf(a) - placeOf(b));
  }

  answer(own: OwnCall, output: ToolOutput): void {
    if (own.answeredByServer) return;
    own.output = output;
    this.#answered.push(own);
  }

  answerRest(reason: string): void {
    for (const own of this.all) if (own.output === undefined) this.answer(own, errorOutput(reason));
  }

  /** The response brought this call's output along: what a run that was already started returns is not used. */
  takeServerAnswer(callId: string, output: ToolOutput): boolean {
    const own = this.#byId.get(callId);
    if (own === undefined) return false;
    own.answeredByServer = true;
    if (own.output === undefined) this.#answered.push(own);
    own.output = output;
    own.stop?.(new Error('The response brought the output of this call along.'));
    return true;
  }

  answerOf(callId: string): AnsweredCall | undefined {
    const own = this.#byId.get(callId);
    return own && toAnswered(own);
  }

  /** The next result; `undefined` when there are no more. */
  async next(): Promise<CallToolResult | undefined> {
    const own = await this.#answered.next();
    // Read now: the server may have had another answer meanwhile.
    if (own?.output === undefined) return undefined;
    return { type: 'tool-result', callId: own.call.callId, name: own.call.name, output: own.output };
  }

  end(): void {
    this.#answered.end();
  }
}

export function toAnswered({ call, output, acted, answeredByServer }: OwnCall): AnsweredCall | undefined {
  return output && { call, output, ran: acted, answeredByServer };
}

export function summariesOf(outputs: readonly AnsweredCall[]): RoundSummary['calls'] {
  return outputs.map(({ call: { callId, name }, output: { isError }, answeredByServer }) => ({
    callId,
    name,
    origin: answeredByServer ? 'hosted' : 'loop',
    isError,
  }));
}

/** When all that run now have ended. */
export async function settled(calls: readonly OwnCall[]): Promise<void> {
  await Promise.all(calls.flatMap((own) => (own.answeredByServer ? [] : (own.running ?? []))));
}

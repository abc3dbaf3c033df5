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
  /** A tool of ours has been called for it: nothing kept that from running. */
  acted: boolean;
  output?: ToolOutput;
  /** Its turn has come, and the user has to be asked. */
  awaitsUser: boolean;
  /** The response held the output already. */
  answeredByServer: boolean;
}

/** A call that has its output. */
export type AnsweredCall = Readonly<Pick<OwnCall, 'call' | 'acted' | 'answeredByServer'>> & {
  readonly output: ToolOutput;
};

/** The calls of a round that are ours to answer, in output order, and their answers as they come. */
export class OwnCalls {
  all: OwnCall[] = [];
  /** How many of them the response did not answer itself. */
  outstanding = 0;
  readonly #byId = new Map<string, OwnCall>();
  readonly #answered = new AsyncQueue<OwnCall>();

  add(call: RoundToolCall, tool: LoopTool | undefined, user: UserVoice): OwnCall {
    const own: OwnCall = { call, tool, user, acted: false, awaitsUser: false, answeredByServer: false };
    this.all.push(own);
    this.outstanding += 1;
    this.#byId.set(call.callId, own);
    return own;
  }

  /** The order the model made the calls in: servers may finish them in another. */
  order(callIds: readonly string[]): void {
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
    if (!own.answeredByServer) this.outstanding -= 1;
    own.answeredByServer = true;
    if (own.output === undefined) this.#answered.push(own);
    own.output = output;
    own.stop?.(new Error('The response brought the output of this call along.'));
    return true;
  }

  answerOf(callId: string): AnsweredCall | undefined {
    const own = this.#byId.get(callId);
    return own?.output && { ...own, output: own.output };
  }

  /** Everything that has an output, in the order of the calls. */
  answered(): AnsweredCall[] {
    const answered: AnsweredCall[] = [];
    for (const { call, output, acted, answeredByServer } of this.all)
      if (output !== undefined) answered.push({ call, output, acted, answeredByServer });
    return answered;
  }

  /** Calls that wait for the user's approval, in order. */
  awaitingUser(): RoundToolCall[] {
    const calls: RoundToolCall[] = [];
    for (const { awaitsUser, output, call } of this.all) if (awaitsUser && output === undefined) calls.push(call);
    return calls;
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

export function summariesOf(outputs: readonly AnsweredCall[]): RoundSummary['calls'][number][] {
  const summaries: RoundSummary['calls'][number][] = [];
  for (const { call, output, answeredByServer } of outputs) {
    const origin = answeredByServer ? 'hosted' : 'loop';
    summaries.push({ callId: call.callId, name: call.name, origin, isError: output.isError });
  }
  return summaries;
}

/** When all that run now have ended. */
export async function settled(calls: readonly OwnCall[]): Promise<void> {
  for (const own of calls) if (!own.answeredByServer) await own.running;
}

/**
 * Which calls of a round stand behind one that has to run alone: those it may not overtake. Every call is looked at a fixed
 * number of times, however many there are and in whatever order they are completed.
 */
export class CallOrder {
  /** Places in the order calls were begun in, of those whose arguments are not complete yet. */
  readonly #places = new Map<string, number>();
  /** The places of calls that have to run alone; those before `#firstOpen` are complete. */
  readonly #alone: { readonly place: number; readonly callId: string }[] = [];
  #firstOpen = 0;
  #begun = 0;
  #aloneIsComplete = false;

  /** The model began a call. */
  begin(callId: string, overlaps: boolean): void {
    if (this.#places.has(callId)) return;
    this.#places.set(callId, this.#begun);
    if (!overlaps) this.#alone.push({ place: this.#begun, callId });
    this.#begun += 1;
  }

  /** The model completed a call, begun before or not; says whether one before it has to run alone. */
  complete(callId: string, overlaps: boolean): boolean {
    const place = this.#places.get(callId) ?? this.#begun;
    let first = this.#alone[this.#firstOpen];
    while (first !== undefined && !this.#places.has(first.callId)) first = this.#alone[++this.#firstOpen];
    const isBehind = this.#aloneIsComplete || (first !== undefined && first.place < place);
    this.#places.delete(callId);
    this.#aloneIsComplete ||= !overlaps;
    return isBehind;
  }
}

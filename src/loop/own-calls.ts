import type { CallMembers } from '../core/call-items.js';
import type { CarriedCall } from '../core/carrier.js';
import { errorOutput, type ToolCallContent, type ToolOutput } from '../core/message.js';
import type { CallToolResult, RoundSummary } from '../core/part.js';
import type { UserVoice } from '../tools/call/approval.js';
import { defined } from '../util/defined.js';
import { AsyncQueue } from '../util/queues.js';
import type { Fate } from './fate.js';

export interface OwnCall {
  call: ToolCallContent;
  readonly fate: Fate;
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

export type AnsweredCall = Readonly<Pick<OwnCall, 'call' | 'fate' | 'acted' | 'answeredByServer'>> & {
  readonly output: ToolOutput;
};

/** The calls of a round that are ours to answer, in output order, and their answers as they come. */
export class OwnCalls {
  all: OwnCall[] = [];
  readonly #byId = new Map<string, OwnCall>();
  readonly #handedOut = new Set<string>();
  #restAt = 0;
  /** As they get their outputs; of one that has been handed out, the output may be another one by then. */
  readonly answers = new AsyncQueue<AnsweredCall>();

  add(call: ToolCallContent, fate: Fate, user: UserVoice): OwnCall {
    const own: OwnCall = { call, fate, user, acted: false, awaitsUser: false, answeredByServer: false };
    this.all.push(own);
    this.#byId.set(call.callId, own);
    return own;
  }

  /** Whether there is a call that the response did not answer itself. */
  get isOutstanding(): boolean {
    return this.all.some(({ answeredByServer }) => !answeredByServer);
  }

  get(callId: string): OwnCall | undefined {
    return this.#byId.get(callId);
  }

  /** The order the model made the calls in: servers may finish them in another. */
  order(callIds: readonly string[]): void {
    const place = new Map(callIds.map((callId, index) => [callId, index]));
    const placeOf = (own: OwnCall): number => place.get(own.call.callId) ?? callIds.length;
    this.all = this.all.toSorted((a, b) => placeOf(a) - placeOf(b));
  }

  /** Adds members that the server sent after the call was emitted. */
  describe(callId: string, members: CallMembers): void {
    const own = this.#byId.get(callId);
    if (own !== undefined) own.call = { ...own.call, members };
  }

  answer(own: OwnCall, output: ToolOutput): void {
    if (!own.answeredByServer) this.answers.push(Object.assign(own, { output }));
  }

  handOut(answered: AnsweredCall): AnsweredCall {
    this.#handedOut.add(answered.call.callId);
    return answered;
  }

  /** The next call, in order, that was not handed out; without an output it gets this one. */
  handOutRest(output: ToolOutput): AnsweredCall | undefined {
    for (let own = this.all[this.#restAt]; own !== undefined; own = this.all[this.#restAt]) {
      this.#restAt += 1;
      if (!this.#handedOut.has(own.call.callId))
        return this.handOut(Object.assign(own, { output: own.output ?? output }));
    }
    return undefined;
  }

  answerRest(reason: string): void {
    for (const own of this.all) if (own.output === undefined) this.answer(own, errorOutput(reason));
  }

  /** The response brought this call's output along: what a run that was already started returns is not used. */
  takeServerAnswer(callId: string, output: ToolOutput): boolean {
    const own = this.#byId.get(callId);
    if (own === undefined) return false;
    const isNews = own.output === undefined;
    const answered = Object.assign(own, { answeredByServer: true, output });
    if (isNews) this.answers.push(answered);
    own.stop?.(new Error('The response brought the output of this call along.'));
    return true;
  }

  /** Everything that has an output, in the order of the calls. */
  answered(): AnsweredCall[] {
    const answered: AnsweredCall[] = [];
    for (const own of this.all) if (own.output !== undefined) answered.push(own as AnsweredCall);
    return answered;
  }

  /** Calls that wait for the user's approval, in order. */
  awaitingUser(): ToolCallContent[] {
    const calls: ToolCallContent[] = [];
    for (const { awaitsUser, output, call } of this.all) if (awaitsUser && output === undefined) calls.push(call);
    return calls;
  }
}

/** Returns a call in the form of a carrier. */
export function toCarried(
  { callId, name, arguments: text, members, inRound }: ToolCallContent,
  output: ToolOutput,
): CarriedCall {
  return { callId, name, arguments: text, ...defined({ members, inRound }), output };
}

export function toResultPart({ call, output }: AnsweredCall): CallToolResult {
  return { type: 'tool-result', origin: 'loop', callId: call.callId, name: call.name, output };
}

export function summariesOf(outputs: readonly AnsweredCall[]): RoundSummary['calls'] {
  return outputs.map(({ call: { callId, name }, output: { isError }, answeredByServer }) => {
    return { callId, name, origin: answeredByServer ? 'hosted' : 'loop', isError };
  });
}

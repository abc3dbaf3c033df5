import type { CallMembers } from '../core/call-items.js';
import type { CarriedCall } from '../core/carrier.js';
import { errorOutput, type ToolCallContent, type ToolOutput } from '../core/message.js';
import type { CallToolResult, RoundSummary } from '../core/part.js';
import type { UserVoice } from '../tools/call/approval.js';
import { defined } from '../util/defined.js';
import { AsyncQueue } from '../util/queues.js';
import type { Fate } from './fate.js';
import type { RunView } from './run-view.js';

export interface OwnCall {
  call: ToolCallContent;
  readonly fate: Fate;
  readonly user: UserVoice;
  /** Set once the call has started. */
  running?: Promise<void>;
  /** Ends the run of this call alone. */
  stop?: (reason: Error) => void;
  /** The tool was called. */
  acted: boolean;
  output?: ToolOutput;
  /** Set while the run is shown. */
  view?: RunView;
  /** The user must decide. */
  awaitsUser: boolean;
  /** The response has the output. */
  answeredByServer: boolean;
  /** The round ended without its output; see `LateCalls`. */
  runsOn?: true;
}

export type AnsweredCall = Readonly<Pick<OwnCall, 'call' | 'fate' | 'acted' | 'answeredByServer' | 'view'>> & {
  readonly output: ToolOutput;
  /** The run continues. */
  readonly isPreliminary?: true;
};

/** A run with a view to show. */
interface ViewedCall {
  readonly viewed: OwnCall;
}

/** The calls of a round that the loop answers, in output order, and their answers in order of arrival. */
export class OwnCalls {
  all: OwnCall[] = [];
  readonly #byId = new Map<string, OwnCall>();
  readonly #handedOut = new Set<string>();
  #restAt = 0;
  /** Calls in the order of their outputs. The output of a returned call may change. */
  readonly answers = new AsyncQueue<AnsweredCall | ViewedCall>();

  add(call: ToolCallContent, fate: Fate, user: UserVoice): OwnCall {
    const own: OwnCall = { call, fate, user, acted: false, awaitsUser: false, answeredByServer: false };
    this.all.push(own);
    this.#byId.set(call.callId, own);
    return own;
  }

  /** Whether the response lacks the output of a call. */
  get isOutstanding(): boolean {
    return this.all.some(({ answeredByServer }) => !answeredByServer);
  }

  get(callId: string): OwnCall | undefined {
    return this.#byId.get(callId);
  }

  /** Sorts the calls as the model made them. Servers may finish them in another order. */
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
    if (own.answeredByServer) return;
    const answered = Object.assign(own, { output });
    if (own.runsOn !== true) this.answers.push(answered);
  }

  handOut(answered: AnsweredCall): AnsweredCall {
    this.#handedOut.add(answered.call.callId);
    return answered;
  }

  /** Returns the next call, once each. A call without an output gets this one. */
  handOutRest(output: ToolOutput): AnsweredCall | undefined {
    for (let own = this.all[this.#restAt]; own !== undefined; own = this.all[this.#restAt]) {
      this.#restAt += 1;
      // A late call is returned at its own end.
      if (own.runsOn !== true && !this.#handedOut.has(own.call.callId))
        return this.handOut(Object.assign(own, { output: own.output ?? output }));
    }
    return undefined;
  }

  answerRest(reason: string): void {
    for (const own of this.all) if (own.output === undefined) this.answer(own, errorOutput(reason));
  }

  /** Takes the output that the response has. The result of a run that already started is dropped. */
  takeServerAnswer(callId: string, output: ToolOutput): boolean {
    const own = this.#byId.get(callId);
    if (own === undefined) return false;
    const isNews = own.output === undefined;
    const answered = Object.assign(own, { answeredByServer: true, output });
    if (isNews) this.answers.push(answered);
    own.stop?.(new Error('The response brought the output of this call along.'));
    return true;
  }

  /** Calls with an output, in order. Late calls belong to a later round. */
  answered(): AnsweredCall[] {
    const answered: AnsweredCall[] = [];
    for (const own of this.all) if (isAnswered(own) && own.runsOn !== true) answered.push(own);
    return answered;
  }

  /** Calls whose outputs a later round sends. */
  runningOn(): ToolCallContent[] {
    return this.all.flatMap(({ runsOn, call }) => (runsOn === true ? [call] : []));
  }

  /** Calls that wait for the user's approval, in order. */
  awaitingUser(): ToolCallContent[] {
    const calls: ToolCallContent[] = [];
    for (const { awaitsUser, output, call } of this.all) if (awaitsUser && output === undefined) calls.push(call);
    return calls;
  }
}

export function isAnswered(own: OwnCall): own is OwnCall & AnsweredCall {
  return own.output !== undefined;
}

/** Returns a call in the form of a carrier. */
export function toCarried(
  { callId, name, arguments: text, members, inRound }: ToolCallContent,
  output: ToolOutput,
): CarriedCall {
  return { callId, name, arguments: text, ...defined({ members, inRound }), output };
}

/** Returns calls that the caller does not see, in the form of a carrier. */
export function hiddenIn(calls: readonly AnsweredCall[]): CarriedCall[] {
  return calls.flatMap(({ call, fate, output }) => (fate.shownAs === undefined ? [toCarried(call, output)] : []));
}

export function toResultPart({ call, output, isPreliminary, view }: AnsweredCall): CallToolResult {
  return {
    type: 'tool-result',
    origin: 'loop',
    callId: call.callId,
    name: call.name,
    output,
    ...(isPreliminary === true && { isPreliminary }),
    ...(view?.hasShown === true && { followsPreliminary: true }),
  };
}

export function summariesOf(outputs: readonly AnsweredCall[]): RoundSummary['calls'] {
  return outputs.map(({ call: { callId, name }, output: { isError }, answeredByServer }) => {
    return { callId, name, origin: answeredByServer ? 'hosted' : 'loop', isError };
  });
}

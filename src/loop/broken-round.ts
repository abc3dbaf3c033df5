import type { ContentPart, RoundResult, RoundSummary } from '../core/part.js';
import type { Call } from '../core/call.js';
import type { CallScope } from '../tools/call/call-scope.js';
import type { AbortLike } from '../util/abort.js';

export type TextPart = Extract<ContentPart, { type: 'text-start' | 'text-delta' | 'text-end' }>;

/** Changes the texts of one round on their way to the caller. */
export interface TextFilter {
  /** Whether the deltas of a text now pass unchanged. */
  passes(id: string): boolean;
  text(part: TextPart): ContentPart[];
  /** A tool call began. Returns the withheld parts. */
  call(): ContentPart[];
  /** The round has ended. Returns the withheld parts. */
  end(): ContentPart[];
}

interface BrokenCall extends Pick<CallScope, 'callNumber' | 'observer'> {
  readonly call: Call;
  readonly ends: AbortLike;
}

/** A round that ended with an error. */
export interface BrokenRound {
  readonly call: BrokenCall;
  /** All rounds of the call. The last one is the broken one. */
  readonly rounds: readonly RoundSummary[];
  readonly result: RoundResult | undefined;
  /** A tool of the round has started, or the client has one of its calls. */
  readonly hasActed: boolean;
  readonly error: Error;
}

/** The rest of a broken round, for one more request. */
export interface GoingOn {
  /** The text of the user that asks for it. It is not shown. */
  readonly ask: string;
  readonly warning: string;
  readonly texts: TextFilter;
}

/**
 * Decides whether a call continues after a broken round. The core's view of a ring. `undefined`: the error ends the
 * call.
 */
export type AfterBreak = (broken: BrokenRound) => Promise<GoingOn | undefined>;

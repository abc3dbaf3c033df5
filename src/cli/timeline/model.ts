/*
 * The data inside the page. Times are milliseconds since the start of the call, unless stated otherwise. Arguments,
 * outputs and contents of requests are strings, which the page parses on first use.
 */

export interface Timeline {
  /** Name of the file. */
  readonly source: string;
  readonly calls: readonly CallView[];
  /** Events that belong to no call; times are milliseconds since the epoch. */
  readonly outside: readonly MarkView[];
  /** Lines that were not understood. */
  readonly odd: number;
}

export interface CallView {
  readonly number: number;
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  ms: number;
  /** Empty if its end is not in the file. */
  finish: string;
  error?: string;
  /** The bill of its tools; empty if the end is not in the file. */
  bill: readonly ToolBill[];
  /** The group with the texts of its requests. */
  readonly group: number;
  readonly rounds: RoundView[];
  readonly tools: ToolView[];
  readonly marks: MarkView[];
  /** How many of its tools ran at the same time. */
  lanes: number;
  /** Absent: no other call of the file belongs to its conversation. */
  conversation?: ConversationView;
}

export interface ConversationView {
  /** The numbers of its calls. */
  readonly calls: readonly number[];
  readonly totals: Totals;
}

/** The tokens and the money of rounds together. */
export interface Totals {
  readonly input: number | undefined;
  readonly cached: number | undefined;
  readonly output: number | undefined;
  readonly reasoning: number | undefined;
  /** Absent if the cost of one round is unknown. */
  readonly cost: number | undefined;
}

/** All runs of one tool in a call. */
export interface ToolBill {
  readonly tool: string;
  readonly runs: number;
  readonly chars: number;
  /** An estimate of the input tokens that its outputs cost in all rounds of the call. */
  readonly tokens: number;
}

export interface RoundView {
  readonly round: number;
  readonly from: number;
  ms: number;
  /** Time to the first part of the answer, since `from`. */
  firstMs?: number;
  finish: string;
  input?: number;
  cached?: number;
  output?: number;
  reasoning?: number;
  /** By the app's `price`, in its currency. */
  cost?: number;
  responseId?: string;
  replayed?: true;
  readonly requests: RequestView[];
}

/** Texts by their numbers: `[from, to, …]`, both included. */
export type Span = readonly number[];

export interface RequestView {
  readonly from: number;
  ms?: number;
  readonly url: string;
  readonly method?: string;
  readonly transport?: string;
  status?: number;
  error?: string;
  /** The following texts are in the group of the call. */
  readonly input: Span;
  /** Items that are new, and items that an earlier round sent; over a socket the server keeps the latter. */
  readonly fresh: Size;
  readonly again: Size;
  /** The last text before the first request of the round; later ones are new in the round. */
  readonly known: number;
  readonly lists: Readonly<Record<string, Span>>;
  readonly values: Readonly<Record<string, number>>;
  /** Short members of the body. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Size {
  readonly items: number;
  readonly chars: number;
}

export type ToolState = 'done' | 'error' | 'denied' | 'asked' | 'open';

export interface ToolView {
  readonly round: number;
  readonly callId: string;
  readonly name: string;
  readonly source: string;
  from: number;
  ms: number;
  lane: number;
  state: ToolState;
  /** The user's answer to a question, and the time it took. */
  approval?: string;
  waitMs?: number;
  /** Its beginning, for the row. */
  preview?: string;
  /** Texts of group 0. */
  args?: number;
  output?: number;
  /** Characters of the whole output. */
  chars?: number;
  /** The whole output, in the group of the call; the event has only its beginning. */
  sent?: number;
  readonly notes: string[];
  replayed?: true;
}

export type Tone = 'bad' | 'warn' | 'info';

export interface MarkView {
  readonly from: number;
  readonly kind: string;
  readonly text: string;
  readonly tone: Tone;
  readonly round?: number;
}

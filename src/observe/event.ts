import type { FinishReason } from '../core/part.js';
import type { ProviderChoice } from '../core/round.js';
import type { JsonValue } from '../core/json.js';
import type { KeptRound } from '../core/kept-round.js';
import type { Usage } from '../core/usage.js';
import type { CacheBreak } from './cache-watch.js';

/** An event of `ObserverEvent`; `replayed`: it happened in an earlier attempt, and a journal repeats it now. */
export type ObserverEvent = KnownEvent & { readonly replayed?: true };

/**
 * An event inside a call. Times are in milliseconds. Never includes a known key or token, or sealed reasoning.
 * `callNumber` counts the calls of one provider from 1, `round` the rounds of a call from 0.
 */
type KnownEvent =
  | { readonly type: 'call-start'; readonly callNumber: number; readonly modelId: string }
  /** The provider of a call was chosen among two: see `withStockFallback`. */
  | (ProviderChoice & {
      readonly type: 'fallback';
      /** Counts the calls of the provider, from 1. */
      readonly callNumber: number;
      /** The model that the app asked for. */
      readonly modelId: string;
      /** The failure of the primary provider. */
      readonly error?: string;
    })
  | {
      readonly type: 'call-end';
      /** Counts the calls of the provider, from 1. */
      readonly callNumber: number;
      /** Why it ended: `stop`, `tool-calls`, `length`, `error`, `aborted`, … */
      readonly finishReason: FinishReason | 'aborted';
      /** How many rounds began. */
      readonly rounds: number;
      /** Milliseconds from the begin of the call to its end. */
      readonly durationMs: number;
      /** Why it failed. */
      readonly error?: { readonly message: string; readonly code?: string };
      /** Includes an earlier attempt. */
      readonly bill?: CallBill;
    }
  | (RoundPlace & { readonly type: 'round-start'; readonly tools: readonly string[] })
  /** Only of `recordEvents` with `outputs: 'full'`. The round is over and its calls are answered. */
  | (RoundPlace & KeptRound & { readonly type: 'round-kept' })
  | (RoundPlace & {
      readonly type: 'round-end';
      /** The server's id of the answer. */
      readonly responseId?: string;
      /** Why it ended: `stop`, `tool-calls`, `length`, `error`, `aborted`, … */
      readonly finishReason: FinishReason | 'aborted';
      /** How many tools the model called. */
      readonly calls: number;
      /** The tokens of the round. */
      readonly usage: Usage;
      /** The model that answered. Absent: the call's own. */
      readonly modelId?: string;
      /** By the setting `price`. Absent: the cost is unknown. */
      readonly cost?: number;
      /** Milliseconds from the request until the outputs of all tools were there. */
      readonly durationMs: number;
      /** Until the first part of the answer. */
      readonly firstPartMs?: number;
      /** Until the end of the answer: the time of the model, without the tools that ran after it. */
      readonly answerMs?: number;
    })
  | (Exchange & {
      readonly type: 'request';
      /** Only requests about a background response use another. @default `POST` */
      readonly method?: 'GET';
      /** Absent: HTTP. */
      readonly transport?: 'websocket';
      /** Over a socket: so many items are sent, since the server knows the others on this connection. Absent: all are. */
      readonly newItems?: number;
      /** The body as it was sent, without secrets. */
      readonly body: unknown;
      /** The headers, without secrets. */
      readonly headers: Readonly<Record<string, string>>;
    })
  | (Exchange & {
      readonly type: 'response';
      /** The HTTP status. */
      readonly status: number;
      /** The headers, without secrets. */
      readonly headers: Readonly<Record<string, string>>;
      /** Milliseconds until the headers of the answer arrived. */
      readonly durationMs: number;
    })
  /** No answer: the server was unreachable or silent for too long, or the call was aborted. */
  | (Exchange & { readonly type: 'request-error'; readonly message: string; readonly durationMs: number })
  | (Exchange & {
      readonly type: 'retry';
      /** Counts the attempts, from 1. */
      readonly attempt: number;
      /** Milliseconds until the next attempt. */
      readonly delayMs: number;
      /** Why, in a sentence. */
      readonly reason: string;
      /** The HTTP status. */
      readonly status?: number;
    })
  /** A WebSocket was opened for later requests, or is gone. */
  | {
      readonly type: 'socket';
      /** Whether it was opened or closed. */
      readonly what: 'opened' | 'closed';
      /** Requests it was used for. */
      readonly rounds: number;
      /** Milliseconds since it was opened. */
      readonly ageMs: number;
      /** The code with which it was closed. */
      readonly code?: number;
      /** Why, in a sentence. */
      readonly reason?: string;
    }
  /** No WebSocket could be opened or used: the requests go over HTTP. */
  | (RoundPlace & { readonly type: 'transport-fallback'; readonly reason: string })
  /** Only with `retry.maxContinuations`. The stream of the round broke; the model is asked to continue its text. */
  | (RoundPlace & { readonly type: 'continuation'; readonly reason: string; readonly shownChars: number })
  /** The stream of a background response broke; it continues after event `after`. */
  | (Exchange & { readonly type: 'resume'; readonly attempt: number; readonly after: number })
  /** The input had become longer than `maxLoopChars`: later requests omit old outputs. */
  | (RoundPlace & {
      readonly type: 'trim';
      /** Characters of the input before, and after. */
      readonly chars: number;
      /** Characters of the input behind the cut. */
      readonly keptChars: number;
      /** Outputs that a note replaced. */
      readonly outputs: number;
      /** Calls that were omitted with their outputs. */
      readonly calls: number;
    })
  /** Only of `watchCache`. The server read the beginning of the request anew, although an earlier one had it. */
  | (RoundPlace & CacheBreak & { readonly type: 'cache-break' })
  | {
      readonly type: 'key';
      /** Counts the calls of the provider, from 1. */
      readonly callNumber: number;
      /** Its last four characters; `[redacted]` for a key of eight characters or fewer. */
      readonly key: string;
      /** Counts the keys of `apiKey`, from 1. Absent: `apiKey` is a function. */
      readonly keyNumber?: number;
      /** The key was chosen for the call, was refused and is paused, or replaced a refused one. */
      readonly what: 'chosen' | 'paused' | 'replaced';
      /** Milliseconds until the key is used again. */
      readonly pauseMs?: number;
      /** The HTTP status of the refusal, and the server's own code: `HTTP 429 (rate_limit_exceeded)`. */
      readonly reason?: string;
    }
  | (ToolPlace & { readonly type: 'tool-start'; readonly arguments: JsonValue })
  /**
   * The user is asked through the AI SDK's approval flow; the call continues with the answer, in a later call of the
   * model.
   */
  | (ToolPlace & { readonly type: 'tool-approval-request'; readonly arguments: JsonValue })
  /** `approve` or the user was asked whether the tool may run; a denied call has no other event. */
  | (ToolPlace & {
      readonly type: 'tool-approval';
      /** The tool may run. */
      readonly approved: boolean;
      /** The arguments were changed. */
      readonly isEdited?: boolean;
      /** Why, in a sentence. */
      readonly reason?: string;
      /** Milliseconds until the answer arrived. */
      readonly durationMs: number;
    })
  | (ToolPlace & {
      readonly type: 'tool-progress';
      /** The progress of the tool, in its own unit. */
      readonly progress: number;
      /** The last value of `progress`, if the tool knows it. */
      readonly total?: number;
      /** A text of the tool about its work. */
      readonly message?: string;
    })
  | (ToolPlace & {
      readonly type: 'tool-retry';
      /** Counts the attempts, from 1. */
      readonly attempt: number;
      /** Milliseconds until the next attempt. */
      readonly delayMs: number;
      /** Why, in a sentence. */
      readonly reason: string;
    })
  | (ToolPlace & {
      readonly type: 'tool-end';
      /** The tool failed; the model reads the output as an error. */
      readonly isError: boolean;
      /** The text that the model reads, cut to 2,000 characters. */
      readonly output: string;
      /** Characters of the text that the model reads; `output` is cut to 2,000. */
      readonly outputChars: number;
      /** Milliseconds that the tool ran. */
      readonly durationMs: number;
    })
  | { readonly type: 'mcp-connect'; readonly server: string; readonly durationMs: number; readonly tools: number }
  | { readonly type: 'mcp-error'; readonly server: string; readonly message: string }
  | { readonly type: 'warning'; readonly message: string };

/** The cost of a call: as a whole, by its rounds, and by the tools that ran. */
export interface CallBill {
  /** Tokens of all rounds. A number that no round reported is absent. */
  readonly usage: Usage;
  /** The sum by the setting `price`. Absent if the cost of one round is unknown. */
  readonly cost?: number;
  /** The cost of each round, in order. */
  readonly rounds: readonly RoundBill[];
  /** In the order of their first runs. */
  readonly tools: readonly ToolBill[];
}

interface RoundBill {
  /** Counts the rounds of the call, from 0. */
  readonly round: number;
  /** The model that the app asked for. */
  readonly modelId: string;
  /** The tokens of the round. */
  readonly usage: Usage;
  /** By the setting `price`; absent if the cost is unknown. */
  readonly cost?: number;
}

interface ToolBill {
  /** The name that the model knows. */
  readonly tool: string;
  /** The key of its MCP server; `local` for a tool of the settings. */
  readonly source: string;
  /** How often it ran. */
  readonly runs: number;
  /** How often it failed. */
  readonly errors: number;
  /** Of all runs, also of those at the same time. */
  readonly durationMs: number;
  /** Characters of all its outputs, as the model read them. */
  readonly outputChars: number;
  /**
   * An estimate of the input tokens that its outputs cost in this call: a token for four characters, in each round
   * after the output. Files are not counted; outputs that a later request omits are.
   */
  readonly estimatedInputTokens: number;
}

interface RoundPlace {
  /** Counts the calls of the provider, from 1. */
  readonly callNumber: number;
  /** Counts the rounds of the call, from 0. */
  readonly round: number;
}

/** A request of a round, and its result. */
interface Exchange extends RoundPlace {
  /** The address of the request. */
  readonly url: string;
}

/** The tool call of an event. */
export interface ToolPlace extends RoundPlace {
  /** The id that the model gave the call. */
  readonly callId: string;
  /** The name that the model knows. */
  readonly tool: string;
  /** The key of its MCP server; `local` for a tool of the settings. */
  readonly source: string;
}

/** Receives events. Its errors are ignored, because an observer must not change the call. */
export type Observer = (event: ObserverEvent) => void;

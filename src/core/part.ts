import type { ToolCallOrigin } from './call.js';
import type { Carrier, PartPlace } from './carrier.js';
import type { JsonObject, JsonValue } from './json.js';
import type { ReachedLimit } from './limits.js';
import type { AssistantContent, ToolCallContent, ToolResultContent } from './message.js';
import type { Usage } from './usage.js';

/** Why a round or a call ended, in the AI SDK's words. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

/** Facts that travel with a part. They come out as provider metadata and come back with the history. */
export interface PartFacts {
  readonly itemId?: string;
  readonly phase?: string;
  /** The agent of the text or reasoning, if several work together, in the server's words. */
  readonly agent?: JsonObject;
  readonly annotations?: readonly JsonObject[];
  readonly logprobs?: JsonValue;
  /** Text of the model that was turned into reasoning, because it led up to a tool call. */
  readonly preamble?: boolean;
  /** The facts that turn a reasoning part back into a reasoning item. */
  readonly reasoning?: ReasoningFacts;
  /** The hidden part of the round. */
  readonly carrier?: Carrier;
  /** Set if something that is not visible comes before the part in its round. */
  readonly place?: PartPlace;
}

/** A section of a reasoning item; the sections of an item are parts in a row. */
export interface ReasoningFacts {
  readonly kind: 'summary' | 'text';
  /** The next reasoning part belongs to the same item. */
  readonly continues?: boolean;
  /** On the last section: the sealed reasoning. */
  readonly encrypted?: string;
}

/**
 * The parts of rounds and calls. Order: a part's start, its deltas, its end; parts with different ids may interleave; a
 * tool call's input parts precede the call.
 */
export type ContentPart =
  | { readonly type: 'response'; readonly responseId?: string; readonly model?: string; readonly createdAt?: number }
  | { readonly type: 'text-start'; readonly id: string; readonly facts?: PartFacts }
  | { readonly type: 'text-delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'text-end'; readonly id: string; readonly facts?: PartFacts }
  | { readonly type: 'reasoning-start'; readonly id: string; readonly facts?: PartFacts }
  | { readonly type: 'reasoning-delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'reasoning-end'; readonly id: string; readonly facts?: PartFacts }
  | SourcePart
  | FilePart
  | { readonly type: 'raw'; readonly event: unknown };

/** Where the answer got something from: a page, or a file of the server's. */
export type Source =
  | { readonly kind: 'url'; readonly url: string; readonly title?: string }
  | {
      readonly kind: 'document';
      readonly title: string;
      readonly filename?: string;
      readonly fileId?: string;
      readonly containerId?: string;
      /** The server's word for how the text refers to it, such as `file_citation`. */
      readonly annotationType?: string;
      /** Where in the text, or the how manieth, as the server counts. */
      readonly index?: number;
    };

export type SourcePart = Source & { readonly type: 'source'; readonly id: string };

/** A file the model made. */
export interface FilePart {
  readonly type: 'file';
  readonly mediaType: string;
  readonly base64: string;
}

/** A hidden item that the next request must include. */
export interface KeptItem {
  readonly type: 'item';
  readonly item: JsonObject;
}

/** The same, but the caller is shown it and so brings it back. */
export interface ShownItem {
  readonly type: 'shown-item';
  readonly item: JsonObject;
}

export interface ToolInputStart {
  readonly type: 'tool-input-start';
  readonly callId: string;
  readonly name: string;
  /** True if it is no plain function call; then `name` is the kind of tool. */
  readonly isItem?: true;
  /** The input is a text, not JSON. */
  readonly encoding?: 'text';
}

export type ToolInputPart = ToolInputStart | ToolInputRest;

type ToolInputRest =
  | { readonly type: 'tool-input-delta'; readonly callId: string; readonly delta: string }
  | { readonly type: 'tool-input-end'; readonly callId: string };

/** A call of a tool that the server runs itself, emitted when the server has finished it. */
export interface HostedCall {
  readonly type: 'hosted-call';
  readonly callId: string;
  /** The kind of tool: `web_search`, `mcp`, … */
  readonly tool: string;
  /** A JSON text. */
  readonly input: string;
  /** The item as it came, for replay. */
  readonly item: JsonObject;
}

/** A tool that the server runs has begun, or has something to show before its result. */
export interface HostedPreview extends Pick<HostedCall, 'callId' | 'tool'> {
  readonly type: 'hosted-preview';
  /** The unfinished result, in the form of the result; absent if the work has only begun. */
  readonly result?: JsonValue;
}

export interface HostedResult extends Pick<HostedCall, 'callId' | 'tool'> {
  readonly type: 'hosted-result';
  readonly result: JsonValue;
  /** The result where previews were shown: it takes their place, so it has what they had. */
  readonly afterPreviews?: JsonValue;
  readonly isError: boolean;
  /** The item of the result, if it is not the call's own item: the next request has it after the call. */
  readonly item?: JsonObject;
  /** Its call is in no response of this round; `callId` is what the server calls it. */
  readonly isLate?: true;
}

/** One Responses exchange, reduced. Ends with exactly one `round-end`. */
export type RoundPart =
  | ContentPart
  | ToolInputPart
  | ToolCallContent
  | HostedCall
  | HostedPreview
  | HostedResult
  | KeptItem
  | { readonly type: 'round-end'; readonly result: RoundResult };

/**
 * How a round ended. `completed` and `incomplete` are the server's word; `failed` is an error the server reported;
 * `truncated` is a stream that just ended, `reset` one that broke.
 */
export type RoundOutcome = 'completed' | 'incomplete' | 'failed' | 'truncated' | 'reset';

export interface RoundResult {
  readonly outcome: RoundOutcome;
  readonly finishReason: FinishReason;
  /** The server's own word for it: a status or an incomplete reason. */
  readonly rawFinishReason?: string;
  readonly responseId?: string;
  readonly usage: Usage;
  /**
   * The round's content in output order, as the next request replays it. Text may be unfinished, calls are complete.
   */
  readonly content: readonly AssistantContent[];
  /** Calls whose output is in the response, so that we never run them. */
  readonly answeredCallIds: readonly string[];
  /** Set when the round ended badly. */
  readonly error?: Error;
  readonly warnings: readonly string[];
  readonly responseFacts?: ResponseFacts;
  /** Token probabilities, one entry per text, if they were asked for. */
  readonly logprobs?: readonly JsonValue[];
  readonly readBody?: ReadBody;
}

/** Facts of a response beside its content. A new fact only has to be read and named. */
export interface ResponseFacts {
  readonly serviceTier?: string;
  /** Which reasoning of earlier turns the model was shown. */
  readonly reasoningContext?: string;
  /** The server's account of the prompt cache, in its words. */
  readonly promptCacheDiagnostics?: JsonValue;
  /** The server's moderation, if it was asked for. */
  readonly moderation?: JsonValue;
}

/** The response as the server sent it, without secrets; only of what is not streamed, so that a stream keeps nothing. */
export type ReadBody = () => unknown;

/**
 * The parts that the adapters see: all rounds of a call as one stream. Ends with exactly one `finish`, unless it was
 * aborted.
 */
export type CallPart =
  | ContentPart
  | (Omit<ToolInputStart, 'isItem'> & { readonly origin: ToolCallOrigin })
  | ToolInputRest
  | CallToolCall
  | CallToolResult
  | ApprovalRequest
  | ShownItem
  | { readonly type: 'error'; readonly error: Error }
  | CallFinish;

/** A call of any origin, as the caller sees it. */
export interface CallToolCall extends Omit<ToolCallContent, 'arguments' | 'item'> {
  readonly origin: ToolCallOrigin;
  /** Always a valid JSON text, unless the client runs the call. */
  readonly input: string;
  /** The model's own text, if it differs. */
  readonly rawInput?: string;
  /** The item of a call that is no function call. The result has it if the call was shown before it was whole. */
  readonly item?: JsonObject;
  /** The hidden part of its round. */
  readonly carrier?: Carrier;
}

/** A result of the loop or the server. The server's output has a value and no content. */
export interface CallToolResult extends ToolResultContent {
  readonly name: string;
  readonly origin: 'loop' | 'hosted';
  /** The item of the call, if that was shown without one. */
  readonly callItem?: JsonObject;
  /** Others follow, the last of them without this mark. */
  readonly isPreliminary?: true;
}

/** A call that was emitted before waits for the user's decision, which comes with the next prompt, under this id. */
export interface ApprovalRequest {
  readonly type: 'approval-request';
  readonly approvalId: string;
  readonly callId: string;
}

/** Usage is summed over all rounds; what else a round knows is that of the last one. */
export interface CallFinish extends Pick<RoundResult, RoundFact> {
  readonly type: 'finish';
  readonly rounds: readonly RoundSummary[];
  /** Calls of an earlier call that ran now, because the user has allowed them since. */
  readonly resumed?: RoundSummary['calls'];
  /** The limit that ended the loop or the call, if one did. */
  readonly limit?: ReachedLimit;
}

type RoundFact = 'finishReason' | 'rawFinishReason' | 'usage' | 'warnings' | 'responseFacts' | 'readBody' | 'logprobs';

/** A round in the finish metadata. */
export interface RoundSummary {
  readonly responseId?: string;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  readonly calls: readonly {
    readonly callId: string;
    readonly name: string;
    readonly origin: ToolCallOrigin;
    readonly isError?: boolean;
  }[];
}

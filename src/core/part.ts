import type { CleanError } from './clean-text.js';
import type { ToolCallOrigin } from './call.js';
import type { Carrier, PartPlace } from './carrier.js';
import type { JsonObject, JsonValue } from './json.js';
import type { ReachedLimit } from './limits.js';
import type { AssistantContent, ToolCallContent, ToolResultContent } from './message.js';
import type { Usage } from './usage.js';

/** Why a round or a call ended, in the AI SDK's words. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

/** Facts of a part. The app receives them as provider metadata and returns them with the history. */
export interface PartFacts {
  readonly itemId?: string;
  readonly phase?: string;
  /** The server's object for the agent that wrote the part, if several agents work together. */
  readonly agent?: JsonObject;
  readonly annotations?: readonly JsonObject[];
  readonly logprobs?: JsonValue;
  /** The text led up to a tool call. */
  readonly preamble?: boolean;
  /** The facts that turn a reasoning part back into a reasoning item. */
  readonly reasoning?: ReasoningFacts;
  /** The hidden part of the round. */
  readonly carrier?: Carrier;
  /** Set if something invisible precedes the part in its round. */
  readonly place?: PartPlace;
}

/** A section of a reasoning item. The sections of one item are parts in a row. */
export interface ReasoningFacts {
  readonly kind: 'summary' | 'text';
  /** The next reasoning part belongs to the same item. */
  readonly continues?: boolean;
  /** The sealed reasoning, on the last section. */
  readonly encrypted?: string;
}

/**
 * The parts of rounds and calls. A part's start precedes its deltas and its end, a call's input the call. Parts with
 * different ids may interleave.
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

/** A page or a server's file that the answer uses. */
export type Source =
  | { readonly kind: 'url'; readonly url: string; readonly title?: string }
  | {
      readonly kind: 'document';
      readonly title: string;
      readonly filename?: string;
      readonly fileId?: string;
      readonly containerId?: string;
      /** The server's name for the kind of reference, such as `file_citation`. */
      readonly annotationType?: string;
      /** The server's number for its place in the text or in a list. */
      readonly index?: number;
    };

export type SourcePart = Source & { readonly type: 'source'; readonly id: string };

/** A file that the model made. */
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

/** An item that the caller sees, so the history contains it. */
export interface ShownItem {
  readonly type: 'shown-item';
  readonly item: JsonObject;
}

export interface ToolInputStart {
  readonly type: 'tool-input-start';
  readonly callId: string;
  readonly name: string;
  /** The call is no plain function call, and `name` is the kind of tool. */
  readonly isItem?: true;
  /** The input is plain text, not JSON. */
  readonly encoding?: 'text';
}

export type ToolInputPart = ToolInputStart | ToolInputRest;

type ToolInputRest =
  | { readonly type: 'tool-input-delta'; readonly callId: string; readonly delta: string }
  | { readonly type: 'tool-input-end'; readonly callId: string };

/** A finished call of a tool that the server runs. */
export interface HostedCall {
  readonly type: 'hosted-call';
  readonly callId: string;
  /** The kind of tool: `web_search`, `mcp`, … */
  readonly tool: string;
  /** A JSON text. */
  readonly input: string;
  readonly item: JsonObject;
}

/** The beginning of a call that the server runs, or its preview. */
export interface HostedPreview extends Pick<HostedCall, 'callId' | 'tool'> {
  readonly type: 'hosted-preview';
  /** The unfinished result. Absent if the work has only begun. */
  readonly result?: JsonValue;
}

export interface HostedResult extends Pick<HostedCall, 'callId' | 'tool'> {
  readonly type: 'hosted-result';
  readonly result: JsonValue;
  /** The result after previews. It replaces them, so it contains all of theirs. */
  readonly afterPreviews?: JsonValue;
  readonly isError: boolean;
  /** The item of the result, if the call has its own. The next request contains it after the call. */
  readonly item?: JsonObject;
  /** The call is in no response of this round, and `callId` is the server's own id. */
  readonly isLate?: true;
}

/** The parts of one exchange with the server. The last one is the only `round-end`. */
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
 * How a round ended. The server reports `completed`, `incomplete` and `failed`; `truncated` is a stream that ended
 * early, `reset` a broken stream.
 */
export type RoundOutcome = 'completed' | 'incomplete' | 'failed' | 'truncated' | 'reset';

export interface RoundResult {
  readonly outcome: RoundOutcome;
  readonly finishReason: FinishReason;
  /** The server's status, or its reason for an incomplete response. */
  readonly rawFinishReason?: string;
  readonly responseId?: string;
  readonly usage: Usage;
  /**
   * The round's content in output order for the next request. Texts may be unfinished, calls are complete.
   */
  readonly content: readonly AssistantContent[];
  /** Ids of calls with an output in the response. The loop never runs them. */
  readonly answeredCallIds: readonly string[];
  /** Set when the round ended badly. */
  readonly error?: CleanError;
  readonly warnings: readonly string[];
  readonly responseFacts?: ResponseFacts;
  /** Token probabilities, one entry per text, if the caller requested them. */
  readonly logprobs?: readonly JsonValue[];
  readonly readBody?: ReadBody;
}

/** Facts of a response, except its content. */
export interface ResponseFacts {
  readonly serviceTier?: string;
  /** Which reasoning of earlier turns the model saw. */
  readonly reasoningContext?: string;
  /** The server's account of the prompt cache. */
  readonly promptCacheDiagnostics?: JsonValue;
  /** The server's moderation, if the caller requested it. */
  readonly moderation?: JsonValue;
  /** The use of the server's own tools, which it bills in addition to tokens. */
  readonly toolUsage?: JsonObject;
  /** The reasoning of the input that the server withheld from the model, and why. */
  readonly inputTransformations?: JsonValue;
}

/** Returns the server's response without secrets. Absent for a stream, so that a stream keeps nothing. */
export type ReadBody = () => unknown;

/**
 * The parts that the adapters read: all rounds of a call as one stream. The last one is the only `finish`, unless the call
 * was aborted.
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
  /** The model's own text, if `input` differs. */
  readonly rawInput?: string;
  /** Facts about a tool of the loop, for user interfaces. */
  readonly tool?: JsonObject;
  /** The item of a call that is no function call. The result has it if the call was shown before it was whole. */
  readonly item?: JsonObject;
  /** The hidden part of its round. */
  readonly carrier?: Carrier;
}

/** A result of the loop or the server. The server's output has a value and no content. */
export interface CallToolResult extends ToolResultContent {
  readonly name: string;
  readonly origin: 'loop' | 'hosted';
  /** The item of the call, if the call was shown without it. */
  readonly callItem?: JsonObject;
  /** Other results follow, the last without this mark. */
  readonly isPreliminary?: true;
  /** Preliminary results of the loop preceded it. */
  readonly followsPreliminary?: true;
}

/** A question to the user about an emitted call. The next prompt contains the answer, under this id. */
export interface ApprovalRequest {
  readonly type: 'approval-request';
  readonly approvalId: string;
  readonly callId: string;
}

/** The end of a call. Usage is the sum of all rounds; other facts are those of the last round. */
export interface CallFinish extends Pick<RoundResult, RoundFact> {
  readonly type: 'finish';
  readonly rounds: readonly RoundSummary[];
  /** Calls of an earlier answer that ran now, because the user has since allowed them. */
  readonly resumed?: RoundSummary['calls'];
  /** The server's last stream ended before its response did. */
  readonly isCut?: true;
  /** The limit that ended the loop or the call. */
  readonly limit?: ReachedLimit;
  /** The condition or function that stopped the loop, if one did. */
  readonly stoppedBy?: string;
}

type RoundFact = 'finishReason' | 'rawFinishReason' | 'usage' | 'warnings' | 'responseFacts' | 'readBody' | 'logprobs';

/** A round in the finish metadata. */
export interface RoundSummary extends Pick<ResponseFacts, 'toolUsage' | 'inputTransformations'> {
  readonly responseId?: string;
  readonly finishReason: FinishReason;
  /** The requested model, if it is not that of the call. */
  readonly modelId?: string;
  readonly usage: Usage;
  readonly calls: readonly {
    readonly callId: string;
    readonly name: string;
    readonly origin: ToolCallOrigin;
    readonly isError?: boolean;
  }[];
}

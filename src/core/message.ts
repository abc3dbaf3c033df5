import type { CallMembers, ServerItem, WrapperPlace } from './call-items.js';
import type { JsonObject, JsonValue } from './json.js';

/**
 * A conversation in our own words: what any AI SDK version hands us, and what a round adds to it.
 * Request building reads it, the loop appends to it, a message that is in it is never changed.
 */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export interface SystemMessage extends CacheMarked {
  readonly role: 'system';
  readonly text: string;
  /** No text but a change: from here on the model reasons this hard. */
  readonly reasoningEffort?: string;
  /** The same of the format of the answer, in the API's words. */
  readonly textFormat?: JsonObject;
  /** Tools that are there from here on, in the API's words. */
  readonly additionalTools?: readonly JsonObject[];
}

/** The prompt up to and including this is worth keeping in the server's cache: its word for it, as the caller gave it. */
export interface CacheMarked {
  readonly cacheBreakpoint?: JsonObject;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly UserContent[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantContent[];
}

/** Outputs of earlier calls; they may come in any order, request building puts each behind its call. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly content: readonly (ToolResultContent | ApprovalContent)[];
}

export type UserContent = TextContent | FileContent;

export interface TextContent extends CacheMarked {
  readonly type: 'text';
  readonly text: string;
  /** `commentary` or `final_answer`, as the server labelled it. */
  readonly phase?: string;
  /** The agent that wrote it, if several work together, in the server's words. */
  readonly agent?: JsonObject;
  /** The server's id of it. */
  readonly itemId?: string;
}

export interface FileContent extends CacheMarked {
  readonly type: 'file';
  /** IANA media type; `image/*` where only the kind is known. */
  readonly mediaType: string;
  readonly source: FileSource;
  readonly filename?: string;
  /** How closely the model looks at an image: `low`, `high` or `auto`. */
  readonly detail?: string;
}

export type FileSource =
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'data'; readonly base64: string }
  | { readonly type: 'id'; readonly id: string };

export type AssistantContent =
  | TextContent
  | ReasoningContent
  | ToolCallContent
  | ToolResultContent
  | ItemContent
  | AskedContent;

/** A whole reasoning item: its summary parts stay together. */
export interface ReasoningContent {
  readonly type: 'reasoning';
  readonly summary: readonly string[];
  /** Raw reasoning text, as local servers send it. */
  readonly text: readonly string[];
  /** Sealed reasoning, readable only by the server that made it. Secret: never logged. */
  readonly encrypted?: string;
  /** Whose reasoning this is: a server, a model and a key. Replayed only to the same origin. */
  readonly origin?: string;
  /** The wire id, for requests that refer to stored items. */
  readonly itemId?: string;
  /** The agent that reasoned, if several work together, in the server's words. */
  readonly agent?: JsonObject;
}

export interface ToolCallContent {
  readonly type: 'tool-call';
  /** Unique over the conversation. */
  readonly callId: string;
  /** The name on the wire. */
  readonly name: string;
  /** The arguments as the model wrote them: a JSON text, or what should have been one. */
  readonly arguments: string;
  /** The server's `call_id`, if we had to choose another. */
  readonly wireCallId?: string;
  /** The id of the item, for `missingReasoning: 'synthesize'`. */
  readonly itemId?: string;
  /** Set where it is no plain function call (shell, custom tool, …): the item as it came, to send back in its place. */
  readonly item?: ServerItem;
  /** The call's other members. */
  readonly members?: CallMembers;
  /** Set where the model made up one call for several. */
  readonly wrapper?: WrapperPlace;
  /** Names the round: calls of one round are replayed together, although user interfaces keep each beside its result. */
  readonly inRound?: string;
  /** It came in a carrier, so the user never saw it. */
  readonly wasHidden?: true;
}

export interface ToolResultContent {
  readonly type: 'tool-result';
  readonly callId: string;
  readonly output: ToolOutput;
  /** The members of its call, for a request without the call itself; so are the next two. */
  readonly members?: CallMembers;
  readonly name?: string;
  /** Type and origin of its call's item, if that is no function call. */
  readonly item?: JsonObject;
}

/** The user was asked about this call, and the round ended without an answer. */
export interface AskedContent {
  readonly type: 'asked';
  readonly callId: string;
}

/** The user's decision on a call for which the server, or a tool of ours, asked approval. */
export interface ApprovalContent {
  readonly type: 'approval';
  /** The id of the server's request, or our own: see `formatApprovalId`. */
  readonly approvalId: string;
  readonly approved: boolean;
  readonly reason?: string;
}

/** An item we do not interpret, kept as it came so that it can be sent back. */
export interface ItemContent {
  readonly type: 'item';
  readonly item: ServerItem;
  /** A summary from `provider.compact()`: the messages before it belong to it and are kept. */
  readonly isWindow?: boolean;
}

/** The result of a tool. An error is an output too, because the model reads it and goes on. */
export interface ToolOutput {
  readonly isError: boolean;
  readonly content: readonly (TextContent | FileContent)[];
  /** The structured value that the tool returned, if any; user interfaces show it. */
  readonly value?: JsonValue;
  /** Tools that are there once the model has read it, in the API's words. */
  readonly additionalTools?: readonly JsonObject[];
}

export function textOutput(text: string): ToolOutput {
  return { isError: false, content: [{ type: 'text', text }] };
}

/** The output of a call whose real output never came. */
export const INTERRUPTED_TEXT = 'This call was interrupted before it returned anything.';

export function errorOutput(text: string): ToolOutput {
  return { isError: true, content: [{ type: 'text', text }] };
}

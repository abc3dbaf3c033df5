import type { CallMembers, ServerItem, WrapperPlace } from './call-items.js';
import type { JsonObject, JsonValue } from './json.js';

/**
 * A message of the prompt, the same for every version of the AI SDK, or a message that a round adds. Messages are never
 * changed.
 */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export interface SystemMessage extends CacheMarked, Foreign {
  readonly role: 'system';
  readonly text: string;
  /** Changes how hard the model reasons from here on. Such a message has no text. */
  readonly reasoningEffort?: string;
  /** Changes the format of the answer, in the API's form. */
  readonly textFormat?: JsonObject;
  /** Tools that the model has from here on, in the API's form. */
  readonly additionalTools?: readonly JsonObject[];
}

/** The caller's mark that the server should cache the prompt up to and including this. */
export interface CacheMarked {
  readonly cacheBreakpoint?: JsonObject;
}

interface Foreign {
  /** The caller's options for other providers, by provider. Our requests omit them; another model may get them. */
  readonly otherOptions?: JsonObject;
}

export interface UserMessage extends Foreign {
  readonly role: 'user';
  readonly content: readonly UserContent[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantContent[];
}

/** Outputs of earlier calls, in any order. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly content: readonly (ToolResultContent | ApprovalContent)[];
}

export type UserContent = (TextContent | FileContent) & Foreign;

export interface TextContent extends CacheMarked {
  readonly type: 'text';
  readonly text: string;
  /** The server's label: `commentary` or `final_answer`. */
  readonly phase?: string;
  /** The server's object for the agent that wrote it, if several agents work together. */
  readonly agent?: JsonObject;
  readonly itemId?: string;
}

export interface FileContent extends CacheMarked {
  readonly type: 'file';
  /** IANA media type; `image/*` if only the kind is known. */
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
  | AskedContent
  | AddedText;

/** A text of the user that the loop put between two rounds of one answer. */
export interface AddedText {
  readonly type: 'added-text';
  readonly text: string;
}

/** A whole reasoning item. */
export interface ReasoningContent {
  readonly type: 'reasoning';
  readonly summary: readonly string[];
  /** Raw reasoning, which local servers send. */
  readonly text: readonly string[];
  /** Sealed reasoning, which only its server can read. Never logged. */
  readonly encrypted?: string;
  /** The server, model and key that made it. Replayed only to the same origin. */
  readonly origin?: string;
  /** The wire id, for requests that refer to stored items. */
  readonly itemId?: string;
  /** The server's object for the agent that reasoned, if several agents work together. */
  readonly agent?: JsonObject;
}

export interface ToolCallContent {
  readonly type: 'tool-call';
  /** Unique over the conversation. */
  readonly callId: string;
  /** The name on the wire. */
  readonly name: string;
  /** The model's own text, possibly invalid JSON. */
  readonly arguments: string;
  /** The server's `call_id`, if the loop had to choose another. */
  readonly wireCallId?: string;
  /** The id of the item, for `missingReasoning: 'synthesize'`. */
  readonly itemId?: string;
  /** The item of a call that is no function call (shell, custom tool, …), for the next request. */
  readonly item?: ServerItem;
  /** The call's other members. */
  readonly members?: CallMembers;
  /** Set if the model made up one call for several. */
  readonly wrapper?: WrapperPlace;
  /** Names the round: calls of one round are replayed together, although user interfaces keep each with its result. */
  readonly inRound?: string;
  /** A carrier contained it, so the user never saw it. */
  readonly wasHidden?: true;
  /** The loop continued without its output, which a later round contains. */
  readonly runsOn?: true;
}

export interface ToolResultContent {
  readonly type: 'tool-result';
  readonly callId: string;
  readonly output: ToolOutput;
  /** Members of its call. They and the next three serve requests without the call itself. */
  readonly members?: CallMembers;
  readonly name?: string;
  /** The server's `call_id`, if the loop had to choose another. */
  readonly wireCallId?: string;
  /** Type and origin of its call's item, if that is no function call. */
  readonly item?: JsonObject;
}

/** A mark that the loop asked the user about this call, and the round ended without an answer. */
export interface AskedContent {
  readonly type: 'asked';
  readonly callId: string;
}

/** The user's decision on a call for which the server or the loop asked approval. */
export interface ApprovalContent {
  readonly type: 'approval';
  /** The id of the server's request, or one of `formatApprovalId`. */
  readonly approvalId: string;
  readonly approved: boolean;
  readonly reason?: string;
}

/** An item that goes back to the server unchanged. */
export interface ItemContent {
  readonly type: 'item';
  readonly item: ServerItem;
  /** The item is a summary that `provider.compact()` returned together with the messages before it. */
  readonly isWindow?: boolean;
}

/** The result of a tool, or its error, which the model reads too. */
export interface ToolOutput {
  /** The tool failed: the model reads the content as an error. */
  readonly isError: boolean;
  /** Texts and files, in the order in which the model reads them. */
  readonly content: readonly (TextContent | FileContent)[];
  /** The structured value that the tool returned, for user interfaces. */
  readonly value?: JsonValue;
  /** Tools that the model has once it has read the output, in the API's form. */
  readonly additionalTools?: readonly JsonObject[];
}

export function textOutput(text: string): ToolOutput {
  return { isError: false, content: [{ type: 'text', text }] };
}

/** The output of a call that never got a real one. */
export const INTERRUPTED_TEXT = 'This call was interrupted before it returned anything. It may have taken effect.';

/** Returns an output as one text; a file is named by its type. */
export function outputText({ content }: ToolOutput): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.mediaType}]`)).join('\n');
}

export function errorOutput(text: string): ToolOutput {
  return { isError: true, content: [{ type: 'text', text }] };
}

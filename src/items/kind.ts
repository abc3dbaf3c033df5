import type { JsonObject, JsonValue } from '../core/json.js';
import type { ToolOutput } from '../core/message.js';
import type { HostedTool } from '../core/tool.js';
import type { Fields } from './fields.js';

/**
 * A call that is no function call and that an item of its own answers. Everything the package knows of such a call stands
 * in its row: a new one is one file here and one line in `kinds.ts`.
 */
export interface CallKind {
  /** The `type` of the call on the wire. */
  readonly type: string;
  /** The tool in the AI SDK's words; a name of the caller's own where the item has one. */
  readonly tool: string;
  readonly nameOf?: (item: JsonObject) => string | undefined;
  /** Other kinds of tools whose calls are of this type: dated ones and previews. */
  readonly alsoTools?: readonly string[];

  /** Who runs a call, as far as its item says: `either` may be settled by an output in the response. */
  readonly runsAt: (item: JsonObject) => 'server' | 'client' | 'either';
  /** Whether a declaration of the tool says that the server runs it. Default: it does not; `always` for no caller's tool. */
  readonly declaredForServer?: 'always' | ((args: HostedTool['args']) => boolean);

  /** The input as a part shows it. */
  readonly input: (item: JsonObject) => JsonValue;
  /** Set if the input is also shown while it streams. */
  readonly streaming?: StreamingInput;
  /** Read back from a part of another provider's; `undefined` if it does not say enough. */
  readonly fromPart?: (part: ShownPart) => JsonObject | undefined;
  /** What its call brings only a server may say, or a client that is believed. */
  readonly needsTrust?: true;
  /** Not every version of `@ai-sdk/openai` can send it. */
  readonly missingInAiSdk?: true;

  /** Members that a posted history may bring back; others stay if `isClosed` is not set. */
  readonly needs?: Fields;
  readonly may?: Fields;
  readonly isClosed?: true;
  /** The item that answers it. */
  readonly output: OutputKind;
}

export interface OutputKind {
  readonly type: string;
  /** The output as a part shows it. */
  readonly result: (item: JsonObject) => JsonValue;
  readonly fromPart?: (part: ShownPart) => JsonObject | undefined;
  /**
   * The members of the item for what the caller's tool returned; `content` is that as the server takes contents.
   * Absent: no caller answers it.
   */
  readonly write?: (output: ToolOutput, content: JsonValue) => JsonObject;
  /** A note in place of `output`, once the input grows too long; `drop`: only whole. Absent: it is never cut. */
  readonly note?: 'drop' | ((item: JsonObject, note: string) => JsonValue);
  readonly needs: Fields;
  /** The call may be in an earlier response: the server waits for something before it can answer. */
  readonly mayBeLate?: true;
  /** The status is part of the result, so a failed one is no error. */
  readonly saysStatus?: true;
}

/** How an input is shown while it streams: a text that grows, in a frame. */
export interface StreamingInput {
  /** The event that brings pieces of the text. */
  readonly event?: string;
  /** What stands before the text and behind it; `undefined` as long as that is not known. */
  readonly frame: (item: JsonObject) => { readonly opening: string; readonly closing: string } | undefined;
  /** The whole text. Default: the input as JSON. */
  readonly text?: (item: JsonObject) => string;
  /** The text as it stands in the frame. */
  readonly write?: (text: string) => string;
  /** The input is no JSON. */
  readonly encoding?: 'text';
}

/** A call, or its result, as a part of a prompt shows it. */
export interface ShownPart {
  readonly callId: string;
  readonly input: unknown;
  /** The tool of this call to the model that bears its name. */
  readonly tool: HostedTool;
}

/** A tool that the server runs: call and result in one item. */
export interface HostedKind {
  readonly type: string;
  readonly tool: string;
  readonly input: (item: JsonObject) => JsonObject;
  readonly result: (item: JsonObject) => JsonObject;
  readonly fromPart?: (part: ShownPart) => JsonObject | undefined;
  readonly alsoTools?: readonly string[];
  readonly needs?: Fields;
  readonly may: Fields;
}

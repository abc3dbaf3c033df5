import type { CallSettings, ResponseFormat } from './call.js';
import type { JsonObject } from './json.js';
import type { FileContent } from './message.js';
import type { ToolChoice, ToolDeclaration } from './tool.js';

/**
 * The record of a round for a replay: the event `round-kept`. It is JSON, without reasoning. Files keep it, so the form
 * is a promise, and a change of its meaning raises the version.
 */
export interface KeptRound {
  readonly version: number;
  /** The input of the call. The first round of a call has it. */
  readonly call?: KeptCall;
  /** The offered functions. */
  readonly tools: readonly KeptTool[];
  /** Texts of the user from before the round, by `steering` or `prepareRound`. */
  readonly texts?: readonly string[];
  /** The answer of the model in the order of the response, each call with the output that the model read. */
  readonly content: readonly KeptEntry[];
  /** Late outputs of earlier calls, which the model read after this round. */
  readonly late?: readonly KeptLateOutput[];
}

export const KEPT_VERSION = 1;

/** The input of a call, and the settings that it needs to run again. */
export interface KeptCall {
  readonly modelId: string;
  /** The URL of requests, without secrets. */
  readonly url: string;
  /** The name of the profile. */
  readonly backend: string;
  readonly messages: readonly KeptMessage[];
  /** The functions that the client runs. */
  readonly clientTools: readonly KeptTool[];
  /** Names of the tools that the server runs, which no replay offers. */
  readonly serverTools: readonly string[];
  readonly toolChoice: ToolChoice;
  readonly settings: CallSettings;
  readonly responseFormat: ResponseFormat;
  /** Provider options that change the answer. */
  readonly options: JsonObject;
  readonly maxRounds: number;
  /** Absent: no limit. */
  readonly maxToolCalls?: number;
  /** The server kept the beginning of the conversation, so `messages` are not all of it. */
  readonly continues?: true;
}

export type KeptTool = Pick<ToolDeclaration, 'name' | 'description' | 'inputSchema' | 'strict'>;

export type KeptMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly content: readonly KeptContent[] }
  | { readonly role: 'assistant'; readonly content: readonly KeptEntry[] };

export type KeptContent =
  | { readonly type: 'text'; readonly text: string }
  | Pick<FileContent, 'type' | 'mediaType' | 'source' | 'filename' | 'detail'>;

export type KeptEntry =
  | { readonly type: 'text'; readonly text: string }
  | KeptToolCall
  /** An item of another kind, by its type. */
  | { readonly type: 'item'; readonly item: string };

export interface KeptToolCall {
  readonly type: 'call';
  readonly callId: string;
  readonly name: string;
  /** The model's own text, possibly invalid JSON. */
  readonly arguments: string;
  /** Absent: no output in this call to the model. */
  readonly output?: KeptOutput;
}

export interface KeptLateOutput {
  readonly callId: string;
  readonly output: KeptOutput;
}

export interface KeptOutput {
  readonly isError?: true;
  readonly content: readonly KeptContent[];
}

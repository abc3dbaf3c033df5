import type { JsonObject } from './json.js';
import type { Message } from './message.js';
import type { HostedTool, ToolChoice, ToolDeclaration } from './tool.js';

/** Who answers a tool call: this package, the caller's own tools, or the server itself. */
export type ToolCallOrigin = 'loop' | 'client' | 'hosted';

/** Sampling and size settings; absent ones are not sent. */
export interface CallSettings {
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly seed?: number;
  readonly stopSequences?: readonly string[];
}

export type ResponseFormat =
  | { readonly type: 'text' }
  | {
      readonly type: 'json';
      readonly schema?: JsonObject;
      readonly name?: string;
      readonly description?: string;
    };

/** A generate or stream request of the AI SDK, in our words. */
export interface Call {
  readonly modelId: string;
  readonly messages: readonly Message[];
  /** The caller's function tools, marked stubs of ours left out. */
  readonly clientTools: readonly ToolDeclaration[];
  readonly hostedTools: readonly HostedTool[];
  /** Names among the caller's tools that are stubs of loop tools: their parts may be shown. */
  readonly declaredLoopTools: readonly string[];
  /** Names among the client's tools that are ours and that the AI SDK runs. */
  readonly sdkRunTools: readonly string[];
  /** Names among `sdkRunTools` that are offered after the history has opened them. */
  readonly lateTools: readonly string[];
  readonly toolChoice: ToolChoice;
  readonly settings: CallSettings;
  readonly responseFormat: ResponseFormat;
  /** Provider options, `openai` and our own merged. */
  readonly options: JsonObject;
  /** Settings of the loop for this call, unchanged. */
  readonly loop?: unknown;
  /** The level of reasoning from a call option of the AI SDK; the server's nearest level may replace it. */
  readonly level?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly includeRaw: boolean;
  /** `false`: requests a JSON answer; parts are the same. */
  readonly stream: boolean;
}

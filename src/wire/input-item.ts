import type { HostedTool } from './tool.js';

/**
 * Everything we may put into `input`, in its fullest form, because some servers refuse a shorter one. It omits
 * `item_reference`, which needs a server that stores, and which llama-server and Ollama refuse.
 */
export type InputItem =
  | InputMessage
  | InputAssistantMessage
  | InputReasoning
  | InputFunctionCall
  | InputFunctionCallOutput
  | InputConfigurationUpdate
  | InputCallItemOutput
  | InputApprovalResponse
  | InputAdditionalTools
  // Requests a summary of the conversation. Only as the last item.
  | { readonly type: 'compaction_trigger' }
  | VerbatimItem;

/** `type` is optional in OpenAI's reading, but OpenClaw and llama-server answer 400 without it. */
export interface InputMessage {
  readonly type: 'message';
  readonly role: 'user' | 'system' | 'developer';
  readonly content: readonly InputContent[];
}

/** Changes the settings of the conversation from here on. */
export interface InputConfigurationUpdate {
  readonly type: 'configuration_update';
  readonly reasoning?: { readonly effort: 'none' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' };
  readonly text?: { readonly format: TextFormat };
}

/** The form of the answer. */
export type TextFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly name: string;
      readonly schema: Readonly<Record<string, unknown>>;
      readonly description?: string;
      readonly strict?: boolean;
    };

/** Tools that are available from here on. */
export interface InputAdditionalTools {
  readonly type: 'additional_tools';
  readonly role: 'developer';
  readonly tools: readonly HostedTool[];
}

/** An earlier message of the model. */
export interface InputAssistantMessage {
  readonly type: 'message';
  readonly role: 'assistant';
  readonly status: 'completed';
  /** Strict validators need `annotations` even if empty. */
  readonly content: readonly {
    readonly type: 'output_text';
    readonly text: string;
    readonly annotations: readonly [];
  }[];
  /**
   * Only for items that the server stores, or made up for a strict validator; OpenAI looks ids up and refuses unknown
   * ones.
   */
  readonly id?: string;
  readonly phase?: MessagePhase;
}

export type MessagePhase = 'commentary' | 'final_answer';

/** Directly precedes its resulting items; OpenAI refuses it alone. */
export interface InputReasoning {
  readonly type: 'reasoning';
  /** Required, even empty. */
  readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[];
  /** Sealed: readable only by the server that made it. Secret. */
  readonly encrypted_content?: string;
  /** Raw reasoning; llama-server demands it. */
  readonly content?: readonly { readonly type: 'reasoning_text'; readonly text: string }[];
  readonly id?: string;
  /** The agent that reasoned. */
  readonly agent?: Readonly<Record<string, unknown>>;
}

export interface InputFunctionCall {
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  /** The model's JSON text, unchanged. */
  readonly arguments: string;
  readonly id?: string;
  readonly status?: 'in_progress' | 'completed' | 'incomplete';
  /** Set if the tool was declared inside a namespace. */
  readonly namespace?: string;
  readonly caller?: InputCaller;
}

/** The maker of a call, which reads its output: the model, or a program that it wrote. */
export type InputCaller = { readonly type: 'direct' } | { readonly type: 'program'; readonly caller_id: string };

export interface InputFunctionCallOutput {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly caller?: InputCaller;
  /** Parts are for servers that accept them: OpenClaw and responses.js answer 400 to anything but a string. */
  readonly output: string | readonly InputContent[];
}

/** The output of a call that is no function call. The call's family in `src/items` writes it. */
export interface InputCallItemOutput {
  readonly type: UnknownName;
  readonly call_id: string;
}

/** The user's answer to a server's request to call a tool of its own MCP server. */
export interface InputApprovalResponse {
  readonly type: 'mcp_approval_response';
  readonly approval_request_id: string;
  readonly approve: boolean;
  readonly reason?: string;
}

export type InputContent = InputText | InputImage | InputFile;

/** Marks the end of a prefix that is worth caching; OpenAI only. */
export interface CacheBreakpointField {
  readonly prompt_cache_breakpoint?: { readonly mode: 'explicit'; readonly ttl?: '30m' | '12h' };
}

export interface InputText extends CacheBreakpointField {
  readonly type: 'input_text';
  readonly text: string;
}

/** One of these members, and none of the others. */
type OneOf<T> = {
  [K in keyof T]: Readonly<Pick<T, K>> & { readonly [Other in Exclude<keyof T, K>]?: never };
}[keyof T];

/** Either a URL (also a `data:` one) or a stored file. */
export type InputImage = CacheBreakpointField & {
  readonly type: 'input_image';
  readonly detail?: ImageDetail;
} & OneOf<{ image_url: string; file_id: string }>;

export type ImageDetail = 'low' | 'high' | 'auto' | 'original';

/** A `data:` URL, a URL or a stored file. Inline data always has a name, as in `@ai-sdk/openai`. */
export type InputFile = CacheBreakpointField & { readonly type: 'input_file' } & (
    | (OneOf<{ file_url: string; file_id: string }> & { readonly file_data?: never; readonly filename?: never })
    | { readonly file_data: string; readonly filename: string; readonly file_url?: never; readonly file_id?: never }
  );

/**
 * Represents, in types only, every name that we do not read, because a plain `string` would prevent narrowing by
 * `type`. No server sends this text.
 */
export type UnknownName = '(unknown)';

declare const verbatim: unique symbol;

/**
 * An output item that is sent back unchanged, of a kind that we do not interpret. Opaque, because any wrong item would
 * match it otherwise. Only the code that replays items creates it, by a cast.
 */
export type VerbatimItem = { readonly type: UnknownName; readonly [verbatim]: true };

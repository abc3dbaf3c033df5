import type { HostedTool } from './tool.js';

/**
 * Everything we may put into `input`, in its fullest form, because some servers refuse a shorter one. Absent on
 * purpose is `item_reference`: it needs a server that stores, and llama-server and Ollama refuse it.
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
  // Has the conversation summed up. Only as the last item.
  | { readonly type: 'compaction_trigger' }
  | VerbatimItem;

/** `type` is optional in OpenAI's reading, but OpenClaw and llama-server answer 400 where it is missing. */
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

/** What form the answer has to take. */
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

/** Tools that are there from here on. */
export interface InputAdditionalTools {
  readonly type: 'additional_tools';
  readonly role: 'developer';
  readonly tools: readonly HostedTool[];
}

/** What the model said before. */
export interface InputAssistantMessage {
  readonly type: 'message';
  readonly role: 'assistant';
  readonly status: 'completed';
  /** Strict validators want `annotations` even when there are none. */
  readonly content: readonly {
    readonly type: 'output_text';
    readonly text: string;
    readonly annotations: readonly [];
  }[];
  /** Only for items the server stores, or made up for a strict validator; OpenAI looks ids up and refuses unknown ones. */
  readonly id?: string;
  readonly phase?: MessagePhase;
}

export type MessagePhase = 'commentary' | 'final_answer';

/** Stands directly before the items it led to; OpenAI refuses it alone. */
export interface InputReasoning {
  readonly type: 'reasoning';
  /** Required, even empty. */
  readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[];
  /** Sealed: readable only by the server that made it. Secret. */
  readonly encrypted_content?: string;
  /** Raw reasoning; llama-server demands it. */
  readonly content?: readonly { readonly type: 'reasoning_text'; readonly text: string }[];
  readonly id?: string;
  /** The agent that thought so. */
  readonly agent?: Readonly<Record<string, unknown>>;
}

export interface InputFunctionCall {
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  /** The JSON text as the model wrote it. */
  readonly arguments: string;
  readonly id?: string;
  readonly status?: 'in_progress' | 'completed' | 'incomplete';
  /** Set where the tool was declared inside a namespace. */
  readonly namespace?: string;
  readonly caller?: InputCaller;
}

/** Who makes a call and reads its output: the model, or a program that it wrote. */
export type InputCaller = { readonly type: 'direct' } | { readonly type: 'program'; readonly caller_id: string };

export interface InputFunctionCallOutput {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly caller?: InputCaller;
  /** Parts are for servers that take them: OpenClaw and responses.js answer 400 to anything but a string. */
  readonly output: string | readonly InputContent[];
}

/** The output of a call that is no function call. The call's family in `src/items` writes it. */
export interface InputCallItemOutput {
  readonly type: UnknownName;
  readonly call_id: string;
}

/** The user's answer to a server that asked whether it may call a tool of its own MCP server. */
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

/** A `data:` URL, a URL or a stored file. Inline data always has a name, as it has from `@ai-sdk/openai`. */
export type InputFile = CacheBreakpointField & { readonly type: 'input_file' } & (
    | (OneOf<{ file_url: string; file_id: string }> & { readonly file_data?: never; readonly filename?: never })
    | { readonly file_data: string; readonly filename: string; readonly file_url?: never; readonly file_id?: never }
  );

/**
 * Stands, in types only, for every name that we do not read. A plain `string` there would keep a union from narrowing by
 * `type`. No server sends this text.
 */
export type UnknownName = '(unknown)';

declare const verbatim: unique symbol;

/**
 * An output item sent back as it came: of a kind we do not interpret. Opaque, or any badly written item would pass for
 * one; made by a cast, in the one place that replays items.
 */
export type VerbatimItem = { readonly type: UnknownName; readonly [verbatim]: true };

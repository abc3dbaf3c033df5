import type { InputFile, InputImage, InputItem, InputText, TextFormat } from './input-item.js';
import type { Tool, ToolChoice } from './tool.js';

/** The body of `POST /responses`, as we write it. An absent field means the server's default. */
export interface RequestBody extends VendorFields {
  readonly model: string;
  readonly input: readonly InputItem[];
  readonly instructions?: string;

  readonly tools?: readonly Tool[];
  readonly tool_choice?: ToolChoice;
  readonly parallel_tool_calls?: boolean;
  readonly max_tool_calls?: number;

  readonly max_output_tokens?: number;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_logprobs?: number;
  readonly text?: {
    readonly format?: TextFormat;
    readonly verbosity?: 'low' | 'medium' | 'high';
  };
  readonly reasoning?: {
    readonly effort?: ReasoningEffort;
    readonly summary?: 'auto' | 'concise' | 'detailed';
    readonly mode?: 'standard' | 'pro';
    readonly context?: 'auto' | 'current_turn' | 'all_turns';
  };

  readonly include?: readonly Includable[];
  readonly store?: boolean;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_obfuscation?: boolean };
  readonly background?: boolean;

  /** Excludes `conversation`. */
  readonly previous_response_id?: string;
  readonly conversation?: string | { readonly id: string };
  readonly truncation?: 'auto' | 'disabled';
  /** `compaction` is the only known type. */
  readonly context_management?: readonly { readonly type: string; readonly compact_threshold?: number }[];
  /** A prompt stored at the server. */
  readonly prompt?: {
    readonly id: string;
    readonly version?: string;
    readonly variables?: Readonly<Record<string, string | InputText | InputImage | InputFile>>;
  };

  readonly prompt_cache_key?: string;
  readonly prompt_cache_options?: {
    readonly mode?: 'implicit' | 'explicit';
    readonly ttl?: '30m' | '12h';
    readonly prewarm?: boolean;
    readonly comparison_response_id?: string;
  };
  readonly prompt_cache_retention?: 'in_memory' | '24h';
  readonly service_tier?: ServiceTier;

  readonly metadata?: Readonly<Record<string, string>>;
  readonly safety_identifier?: string;
  /** The predecessor of `safety_identifier` and `prompt_cache_key`. */
  readonly user?: string;
  readonly moderation?: {
    readonly model: string;
    readonly policy?: {
      readonly input?: { readonly mode: 'score' | 'block' };
      readonly output?: { readonly mode: 'score' | 'block' };
    };
  };
  readonly access_programs?: { readonly cyber?: 'standard' | 'daybreak_blue' | 'daybreak_red' };
  readonly image?: { readonly context_compression?: 'auto' | 'enabled' | 'disabled' };
}

/** Fields unknown to OpenAI. Sent only if a profile or the user declares that the server supports them. */
export interface VendorFields {
  /** Open Responses specification. */
  readonly presence_penalty?: number;
  /** Open Responses specification. */
  readonly frequency_penalty?: number;
  /** xAI, llama-server. */
  readonly seed?: number;
  /** xAI. */
  readonly top_k?: number;
}

export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export type Includable =
  | 'code_interpreter_call.outputs'
  | 'computer_call_output.output.image_url'
  | 'file_search_call.results'
  | 'message.input_image.image_url'
  | 'message.output_text.logprobs'
  | 'reasoning.encrypted_content'
  | 'web_search_call.action.sources'
  | 'web_search_call.results';

export type ServiceTier = 'auto' | 'default' | 'flex' | 'scale' | 'priority' | 'fast' | 'ultrafast';

/** The entries of `tools`. */
export type Tool = FunctionTool | NamespaceTool | HostedTool;

export interface FunctionTool {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string;
  /** JSON schema with an object at its root. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Always sent, because OpenAI and llama.cpp treat a schema without it as strict. */
  readonly strict: boolean;
  /** The rest is OpenAI's, from GPT-5.4 on: deferred until the model searches for it. */
  readonly defer_loading?: boolean;
  readonly allowed_callers?: ('direct' | 'programmatic')[];
  readonly output_schema?: Readonly<Record<string, unknown>>;
  /** From GPT-6 on. */
  readonly async?: boolean;
}

/** Functions that belong together. */
export interface NamespaceTool {
  readonly type: 'namespace';
  readonly name: string;
  readonly description: string;
  readonly tools: readonly FunctionTool[];
}

/** A tool the server runs, as the caller wrote it: vendors invent types (`x_search`, `openrouter:web_search`). */
export interface HostedTool {
  readonly type: string;
  readonly [field: string]: unknown;
}

export type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | NamedToolChoice
  | HostedToolChoice
  | McpToolChoice
  | AllowedToolsChoice;

export interface NamedToolChoice {
  readonly type: 'function' | 'custom';
  readonly name: string;
}

export interface HostedToolChoice {
  /** `web_search` is in no published list, but `@ai-sdk/openai` sends it. */
  readonly type:
    | 'apply_patch'
    | 'code_interpreter'
    | 'computer'
    | 'computer_use'
    | 'computer_use_preview'
    | 'file_search'
    | 'image_generation'
    | 'programmatic_tool_calling'
    | 'shell'
    | 'web_search'
    | 'web_search_preview'
    | 'web_search_preview_2025_03_11';
}

export interface McpToolChoice {
  readonly type: 'mcp';
  readonly server_label: string;
  /** Absent: any tool of that server. */
  readonly name?: string;
}

/** Narrows the choice without touching `tools`, so that the prompt cache keeps its prefix. */
export interface AllowedToolsChoice {
  readonly type: 'allowed_tools';
  readonly mode: 'auto' | 'required';
  readonly tools: readonly AllowedTool[];
}

/** Names a tool by type and, if present, by name or server label. */
export interface AllowedTool {
  readonly type: string;
  readonly name?: string;
  readonly server_label?: string;
}

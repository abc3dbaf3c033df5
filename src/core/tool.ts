import type { JsonObject, JsonValue } from './json.js';

/** A tool as the model sees it. */
export interface ToolDeclaration extends FunctionOptions {
  /** The name on the wire: `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  readonly description?: string;
  /** JSON schema of the arguments; an object at the root. */
  readonly inputSchema: JsonObject;
  /** Absent means `false`, which is always sent: without it a server may take the schema as strict. */
  readonly strict?: boolean;
}

/** Further OpenAI options of a function, with the names of `@ai-sdk/openai`. */
export interface FunctionOptions {
  /** The model sees the tool only once it has found it by tool search. */
  readonly deferLoading?: boolean;
  /** Who may call it: the model (`direct`), a program that the model wrote (`programmatic`). */
  readonly allowedCallers?: readonly ('direct' | 'programmatic')[];
  /** The model may continue writing before the result. */
  readonly async?: boolean;
  /** JSON schema of the result. Results are then sent as JSON. */
  readonly outputSchema?: JsonObject;
  /** Tools that belong together, under one description. */
  readonly namespace?: ToolNamespace;
  /** Not declared in `tools`: an `additional_tools` item of the history brings it. */
  readonly omitFromRequestTools?: boolean;
}

export interface ToolNamespace {
  readonly name: string;
  readonly description: string;
}

/** A tool that the server runs itself, sent as the caller wrote it. */
export interface HostedTool {
  /** The AI SDK's name: `openai.web_search`. */
  readonly id: string;
  /** The kind on the wire: `web_search`, `custom`, … */
  readonly type: string;
  /** The caller's name for it. */
  readonly name: string;
  /** The caller's arguments, in the AI SDK's spelling. */
  readonly args: JsonObject;
}

/** Returns the name of a hosted tool's calls on the wire, or the tool's own name for a custom tool. */
export function wireNameOf({ type, name, args }: HostedTool): string {
  return type === 'custom' && typeof args['name'] === 'string' ? args['name'] : name;
}

export type ToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  | { readonly type: 'tool'; readonly name: string };

/** Parsed arguments: an object, as every tool schema requires. */
export type ToolArguments = Readonly<Record<string, JsonValue>>;

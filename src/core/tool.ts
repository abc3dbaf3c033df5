import type { JsonObject, JsonValue } from './json.js';

/** A tool as the model sees it. */
export interface ToolDeclaration {
  /** The name on the wire: `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  readonly description?: string;
  /** JSON schema of the arguments; an object at the root. */
  readonly inputSchema: JsonObject;
  /** Absent means `false`: a server that is told nothing may take the schema as strict. */
  readonly strict?: boolean;
}

/** A tool the server runs itself, sent as the caller wrote it. */
export interface HostedTool {
  /** The kind: `web_search`, `custom`, … */
  readonly type: string;
  /** The caller's name for it. */
  readonly name: string;
  /** As the caller gave them, in the AI SDK's spelling. */
  readonly args: JsonObject;
}

export type ToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  | { readonly type: 'tool'; readonly name: string };

/** Whether the model has to call something. */
export function isForced({ type }: ToolChoice): boolean {
  return type === 'tool' || type === 'required';
}

/** Arguments that were read: an object, as every tool schema demands. */
export type ToolArguments = Readonly<Record<string, JsonValue>>;

/** What a local tool is told about the call it runs for. */
export interface LocalExecuteOptions {
  readonly toolCallId: string;
  /** Fires when the caller aborts and when the tool exceeds its time limit. */
  readonly abortSignal: AbortSignal;
  /** Always empty: there for AI SDK tools that read it. */
  readonly messages: [];
}

/**
 * A function of this process that the model may call. An AI SDK tool with `execute` fits too.
 *
 * @example
 * const now: LocalTool = {
 *   description: 'The current time in ISO 8601.',
 *   inputSchema: { type: 'object', properties: {} },
 *   execute: () => new Date().toISOString(),
 *   readOnly: true,
 * };
 */
export interface LocalTool {
  readonly description?: string | undefined;
  /** A JSON schema, a zod or other Standard Schema, or an AI SDK schema. Absent: the tool takes no arguments. */
  readonly inputSchema?: unknown;
  /**
   * Runs the tool. A string goes to the model as it is, an object in MCP's result shape is read as such, anything else is
   * sent as JSON; of an async iterable the last value counts. What it throws, the model reads as the tool's error.
   *
   * Optional in type only, because AI SDK tools declare it so; a tool without it is refused with `invalid-settings`.
   */
  execute?(args: Readonly<Record<string, unknown>>, options: LocalExecuteOptions): unknown;
  /** The tool changes nothing: it may start while the model still writes, and beside others. Default `false`. */
  readonly readOnly?: boolean | undefined;
  readonly title?: string | undefined;
  /** Longest silence in milliseconds before the call is given up. Default: the provider's `toolTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Whether the server has to follow the schema to the letter. Default `false`. */
  readonly strict?: boolean | undefined;
}

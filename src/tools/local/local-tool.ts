import type { ToolNamespace } from '../../core/tool.js';

/** Facts about the call a local tool runs for. */
export interface LocalExecuteOptions {
  /** The id of the call, as the model's server gave it. */
  readonly toolCallId: string;
  /** Fires when the caller aborts and when the tool exceeds its time limit. */
  readonly abortSignal: AbortSignal;
  /** Always empty; for AI SDK tools that read it. */
  readonly messages: [];
  /** Always an empty object; for tools of AI SDK 7, which declare its type. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool declares another type
  readonly context: any;
}

/**
 * Whether a call with these arguments needs approval. Written as a method, so that a function for one tool's arguments fits.
 */
type NeedsApproval = {
  check(
    args: Readonly<Record<string, unknown>>,
    options: Omit<LocalExecuteOptions, 'abortSignal'>,
  ): boolean | undefined | PromiseLike<boolean | undefined>;
}['check'];

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
  /** A function (AI SDK 7) is called once, when the tool is first offered. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool declares another type
  readonly description?: string | ((options: any) => string) | undefined;
  /** A JSON schema, a zod or other Standard Schema, or an AI SDK schema. Absent: the tool takes no arguments. */
  readonly inputSchema?: unknown;
  /**
   * Runs the tool. A string goes to the model unchanged, an object in MCP's result shape is read as such, a `Blob` with
   * a type is sent as a file (a text file as its text), anything else as JSON. The last value of an async iterable
   * counts. A `Response`, a stream or a generator is an error: return its content. The model reads a thrown error as
   * the tool's error.
   *
   * Optional in type only, because AI SDK tools declare it so; a tool without it is refused with `invalid-settings`.
   */
  execute?(args: Readonly<Record<string, unknown>>, options: LocalExecuteOptions): unknown;
  /** The tool changes nothing: it may start while the model still writes, and parallel to others. @default `false` */
  readonly readOnly?: boolean | undefined;
  /** The tool may destroy data: a hint for `approve`. @default unknown */
  readonly destructive?: boolean | undefined;
  /** A second call with the same arguments changes nothing more. @default unknown */
  readonly idempotent?: boolean | undefined;
  /** A name for people. */
  readonly title?: string | undefined;
  /** Longest silence in milliseconds before the call is given up. @default the provider's `toolTimeoutMs` */
  readonly timeoutMs?: number | undefined;
  /** Longest duration of one call in milliseconds, whatever progress it makes. @default ten times `timeoutMs` */
  readonly totalTimeoutMs?: number | undefined;
  /** Characters of a result that the model reads in one piece. @default the provider's `maxToolOutputChars` */
  readonly maxOutputChars?: number | undefined;
  /**
   * Whether the server has to follow the schema to the letter. Write the schema for it: all properties required,
   * optional ones with `null` as a value, `additionalProperties: false`.
   * @default `false`
   */
  readonly strict?: boolean | undefined;
  /**
   * Withholds the tool until the model has searched for it; before that it costs no tokens. OpenAI and Azure search
   * themselves, from GPT-5.4 on, and a call that has no `tool_search` tool gets one. Elsewhere the call gets
   * `search_tools`.
   * @default `false`
   */
  readonly deferLoading?: boolean | undefined;
  /**
   * Groups it with others under one description, which the model sees in their place. Supported like `deferLoading`.
   * @default none
   */
  readonly namespace?: ToolNamespace | undefined;
  /**
   * Who may call it: the model (`'direct'`), a program that the model wrote (`'programmatic'`, with the tool
   * `programmatic_tool_calling`). OpenAI and Azure.
   * @default the model
   */
  readonly allowedCallers?: readonly ('direct' | 'programmatic')[] | undefined;
  /**
   * The model may continue without the result, which a later round sends; see `docs/async-tools.md`. OpenAI and Azure,
   * from GPT-6 on; elsewhere the round waits. Such a function runs parallel to any other.
   * @default `false`
   */
  readonly async?: boolean | undefined;
  /** Options of an AI SDK tool for `@ai-sdk/openai` (`openai`): the four options above, and `outputSchema`. */
  readonly providerOptions?: unknown;
  /**
   * Whether a call needs approval: always, or by its arguments, which were checked against the schema before. A
   * function that throws counts as yes.
   * @default `false`
   * @example needsApproval: ({ amount }) => amount > 100
   */
  readonly needsApproval?: boolean | NeedsApproval | undefined;
  /**
   * What the model reads instead of the result; user interfaces get the result itself. Returns the AI SDK's shapes:
   * `{ type: 'text' | 'json' | 'error-text' | 'error-json' | 'content', value }` or `{ type: 'execution-denied', reason }`.
   *
   * AI SDK 6 and later pass `{ toolCallId, input, output }`, AI SDK 5 the result itself, and a function does not show
   * its version. So it is called with that object first. If it reads none of the three members, it is a function for AI
   * SDK 5 and is called again, with the result. So it must have no side effects.
   *
   * If it throws, or returns something else, the result is withheld: the model reads that the tool ran and that its
   * `toModelOutput` failed, and the next call has a warning. It is not called for results that are errors.
   *
   * @example toModelOutput: ({ output }) => ({ type: 'text', value: `${output.length} rows` })
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- with `unknown`, a function written in place would have it too
  toModelOutput?(options: any): unknown;
}

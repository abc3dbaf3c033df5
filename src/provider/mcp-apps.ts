import { clean, type CleanText } from '../core/clean-text.js';
import type { FileContent, ToolOutput } from '../core/message.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import type { CallScope } from '../tools/call/call-scope.js';
import { executeToolCall } from '../tools/call/execute-tool-call.js';
import type { LoopTool, ServerSource, ToolRegistry } from '../tools/loop-tool.js';
import { appError, type McpAppResource, readPage } from '../tools/mcp/apps/read-page.js';
import { qualifiedName } from '../tools/names/legal-name.js';
import type { PageAccess, SourceTool, ToolSource } from '../tools/tool-source.js';
import { abortError, withSignal } from '../util/abort.js';
import { defined } from '../util/defined.js';
import { errorText } from '../util/error-text.js';
import { excerpt } from '../util/excerpt.js';
import { asRecord, asString } from '../util/guards.js';
import { toJsonText } from '../util/to-json.js';
import type { SdkToolHost } from './sdk-tools.js';
import type { FixedToolsetOptions } from './toolset.js';

/** Names a page of an MCP App. */
export interface McpAppResourceRequest {
  /** The server's key in the settings. */
  readonly server: string;
  /** A `ui://` address. */
  readonly uri: string;
  /** Ends the reading. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** A call that a page of an MCP App makes. */
export interface McpAppToolCall {
  /** The settings key of the page's server. */
  readonly server: string;
  /** The name at the server. */
  readonly tool: string;
  /** The arguments. @default none */
  readonly input?: unknown;
  /** Ends the run of the tool. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** The result for the page, in the form of MCP. */
export interface McpAppToolResult {
  /** The unchanged content; text alone if it was cut, redacted, denied, or is an error. */
  readonly content: readonly unknown[];
  /** The data that the tool returned with its content. */
  readonly structuredContent?: unknown;
  /** The tool failed; `content` explains why. */
  readonly isError?: boolean;
  /** The server's own notes for the page. */
  readonly _meta?: unknown;
}

interface AppsHost extends Pick<SdkToolHost, 'scope' | 'closed'> {
  readonly registry: ToolRegistry;
  readonly toolset: FixedToolsetOptions;
}

/** Events of runs outside of a call of the model have this number. */
const NO_CALL = 0;
const SHOWN_CHARS = 200;

/** Handles requests of pages of MCP Apps. */
export class McpApps {
  readonly #host: AppsHost;

  constructor(host: AppsHost) {
    this.#host = host;
  }

  async read(given: McpAppResourceRequest): Promise<McpAppResource> {
    const { server, named: uri, abortSignal } = readRequest(given, clean`readAppResource({ server, uri })`, 'uri');
    const place = clean`${this.#shown(uri)} of MCP server "${this.#shown(server)}"`;
    if (!uri.startsWith('ui://'))
      throw invalidOptions(clean`readAppResource() reads only addresses that begin with ui://, not ${place}.`);
    const { pages } = await this.#open(server);
    const { closed, scope } = this.#host;
    const { limits } = scope;
    return withSignal([closed, abortSignal], async (signal) => {
      const options = { signal, timeoutMs: limits.toolTimeoutMs };
      const result = await pages.read(uri, options).catch((error: unknown) => {
        if (signal.aborted) throw abortError(signal);
        if (ResponsesLoopError.isInstance(error)) throw error;
        throw appError(clean`${place} could not be read: ${scope.redactor.text(errorText(error))}`);
      });
      return readPage(result, { uri, place, limits });
    });
  }

  async call(given: McpAppToolCall): Promise<McpAppToolResult> {
    const { server, named, abortSignal } = readRequest(given, clean`callAppTool({ server, tool, input })`, 'tool');
    const argumentsText = textOf(given.input);
    const { source, pages } = await this.#open(server);
    return withSignal([this.#host.closed, abortSignal], async (signal) => {
      const tool = await pages.tool(named, signal);
      if (tool === undefined)
        throw appError(
          clean`MCP server "${this.#shown(server)}" has no tool "${this.#shown(named)}" that its pages may call.`,
        );
      const run = new AppRun(this.#host.scope);
      return run.result({ tool: await this.#loopTool(source, tool, signal), argumentsText, signal });
    });
  }

  async #open(server: string): Promise<{ readonly source: ServerSource; readonly pages: PageAccess }> {
    const source = await this.#host.registry.source(server);
    const { pages } = source;
    if (pages === undefined)
      throw invalidOptions(
        clean`MCP server "${this.#shown(server)}" is not open to MCP Apps: set \`apps: true\` in its entry.`,
      );
    return { source, pages };
  }

  /** Returns the tool under the name by which `approve` and events know it. */
  async #loopTool(source: ServerSource, tool: SourceTool, signal: AbortSignal): Promise<LoopTool> {
    const { registry, toolset } = this.#host;
    const { tools } = await registry.toolset({ clientNames: [], ...toolset, signal });
    const offered = tools.find((one) => one.source.key === source.key && one.tool.name === tool.name);
    // The model does not have it, so no rule for a bare name may apply to it.
    const name = qualifiedName({ kind: 'mcp', source: source.key, tool: tool.name });
    const declaration = offered?.declaration ?? { name, inputSchema: tool.inputSchema, strict: false };
    return { source, tool, declaration };
  }

  #shown(text: string): CleanText {
    return excerpt(this.#host.scope.redactor.text(text), SHOWN_CHARS);
  }
}

interface AppCall {
  readonly tool: LoopTool;
  readonly argumentsText: string;
  readonly signal: AbortSignal;
}

/** One call of a page. */
class AppRun {
  readonly #scope: CallScope;
  /** The server's result, if the page may have it unchanged. */
  #whole: Record<string, unknown> | undefined;

  constructor(scope: AppsHost['scope']) {
    const keepOutput = async (): Promise<string> => {
      this.#whole = undefined;
      return '';
    };
    this.#scope = { ...scope, callNumber: NO_CALL, keepOutput };
  }

  async result({ tool, ...call }: AppCall): Promise<McpAppToolResult> {
    const { source } = tool;
    const onResult = (result: Record<string, unknown>): void => {
      this.#whole = this.#scope.redactToolOutput === undefined ? result : undefined;
    };
    const execute: ToolSource['execute'] = (name, args, options) =>
      source.execute(name, args, { ...options, onResult });
    const output = await executeToolCall({
      ...call,
      tool: { ...tool, source: { ...source, execute } },
      callId: `app_${crypto.randomUUID()}`,
      scope: this.#scope,
      origin: { owner: {}, responseId: undefined },
      round: 0,
    });
    // No user can be asked by a part of a stream here, so each call is answered.
    if (output === 'awaits-user') return { content: [], isError: true };
    const { content, structuredContent, _meta } = this.#whole ?? {};
    if (output.isError || !Array.isArray(content)) return toMcpResult(output);
    return { content, ...defined({ structuredContent, _meta }) };
  }
}

function toMcpResult({ content, value, isError }: ToolOutput): McpAppToolResult {
  return {
    content: content.map((block) => (block.type === 'text' ? { type: 'text', text: block.text } : toMcpFile(block))),
    ...defined({ structuredContent: asRecord(value), isError: isError || undefined }),
  };
}

function toMcpFile({ mediaType: mimeType, source, filename }: FileContent): object {
  if (source.type !== 'data') return { type: 'text', text: `[${mimeType}]` };
  const [kind] = mimeType.split('/');
  if (kind === 'image' || kind === 'audio') return { type: kind, data: source.base64, mimeType };
  return { type: 'resource', resource: { uri: `file:///${filename ?? 'file'}`, mimeType, blob: source.base64 } };
}

interface ReadRequest {
  readonly server: string;
  readonly named: string;
  readonly abortSignal: AbortSignal | undefined;
}

/** Checks values from code without types. */
function readRequest(
  given: { readonly abortSignal?: AbortSignal | undefined },
  form: CleanText,
  name: string,
): ReadRequest {
  const request = asRecord(given) ?? {};
  const server = asString(request['server']);
  const named = asString(request[name]);
  if (server === undefined || named === undefined) throw invalidOptions(clean`${form} takes texts.`);
  return { server, named, abortSignal: given.abortSignal };
}

function textOf(input: unknown): string {
  try {
    return toJsonText(input) ?? '';
  } catch {
    throw invalidOptions(clean`The \`input\` of callAppTool() cannot be written as JSON.`);
  }
}

function invalidOptions(message: CleanText): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'invalid-options', message });
}

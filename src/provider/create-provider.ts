import { invalidSettings } from '../errors/invalid-settings.js';
import { redactUrl } from '../observe/redact-url.js';
import { asRecord, isRecord } from '../util/guards.js';
import { ProviderEngine } from './provider-engine.js';
import type { VersionName } from '../sdk/parts/versions.js';
import type { CompactedConversation, CompactedMessage, CompactedMessageV4 } from '../sdk/parts/compacted.js';
import type { ProviderConventions } from '../settings/conventions.js';
import type { Engine } from './engine.js';
import { createLanguageModel, type LanguageModel } from './language-model.js';
import { onDemand } from './on-demand.js';
import { OTHER_MODELS, type OtherModels } from './refuse-model.js';
import type { ModelId } from './model-id.js';
import type { LoopSettings } from '../settings/loop-settings.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';
import type { McpAppResource } from '../tools/mcp/apps/read-page.js';
import type { McpLiveClient } from '../tools/mcp/connect/client-like.js';
import type { McpAppResourceRequest, McpAppToolCall, McpAppToolResult } from './mcp-apps.js';
import type { SdkTools } from './sdk-tools.js';
import type { LoopToolInfo, ToolStubs } from './tool-stubs.js';

/** The URL of a model's requests, and the reasons for it. */
export interface EndpointInfo {
  /** The final URL, without secrets. */
  readonly url: string;
  /** The profile in use. */
  readonly backend: string;
  /** The reasons for the URL and the back end, one sentence for each decision. */
  readonly reasons: readonly string[];
}

/**
 * A provider whose models run MCP and local tools themselves. Callable: `provider('gpt-5.1')` is `provider.languageModel(…)`.
 * One provider keeps one set of MCP connections and one key rotation; calls on it share nothing else.
 */
export interface ResponsesProvider<Model = unknown, Message = unknown> {
  /**
   * Returns a model. `settings` are for this model alone and override those of the provider.
   *
   * @throws ResponsesLoopError `invalid-settings`: settings that this model cannot have
   * @example
   * const model = provider('gpt-5.1', { maxRounds: 5 });
   */
  (modelId: ModelId, settings?: LoopSettings): Model;
  /** The same, for registries. */
  languageModel(modelId: ModelId, settings?: LoopSettings): Model;
  /** The same, under the AI SDK's usual name for it. */
  responses(modelId: ModelId, settings?: LoopSettings): Model;
  /**
   * Declarations of the loop tools for a call's `tools`, which makes their parts visible under `ai` 5. Connects the MCP
   * servers if needed; an unreachable server is omitted.
   */
  tools(options?: { readonly runBy?: 'model' | undefined }): Promise<ToolStubs>;
  /**
   * The loop tools with `execute`, for a call's `tools`: the AI SDK runs them, each round is a step, and `stopWhen`,
   * `prepareStep`, `activeTools`, approvals and timeouts of the AI SDK apply. Connections, checks, limits and events are
   * those of the loop. From then on the loop offers no tools to calls that bring no stubs, unless `runTools` is `'model'`.
   *
   * @example
   * streamText({ model: provider('gpt-5.1'), tools: await provider.tools({ runBy: 'sdk' }), stopWhen: stepCountIs(10) });
   */
  tools(options: { readonly runBy: 'sdk' }): Promise<SdkTools>;
  /** All loop tools and their sources. */
  listTools(): Promise<LoopToolInfo[]>;
  /**
   * The live client of an MCP server, for features that the loop does not use: resources, prompts, logging. Connects if
   * needed. It belongs to the provider: do not close it; after a reconnect get the new one.
   */
  mcpClient(server: string): Promise<McpLiveClient>;
  /**
   * Reads the page of an MCP App from a server with `apps: true`. `uri` is `metadata.ui.resourceUri` of the tool's stub, or
   * `toolMetadata.ui.resourceUri` of its parts. The server wrote the page: show it in a frame of another origin.
   *
   * @throws ResponsesLoopError `mcp-app`: no such page, or not of the type `text/html;profile=mcp-app`; `limit`: too long;
   * `invalid-options`: not a `ui://` address, or a server without `apps: true`
   * @example
   * const { html, csp } = await provider.readAppResource({ server: 'shop', uri: 'ui://shop/cart' });
   */
  readAppResource(request: McpAppResourceRequest): Promise<McpAppResource>;
  /**
   * Runs a tool for a page of an MCP App: one of the same server that its `_meta.ui.visibility` opens to pages.
   * `approve`, limits, `redactToolOutput` and events are those of a call by the model; a denied or failed run is a
   * result with `isError`.
   *
   * @throws ResponsesLoopError `mcp-app`: the server has no such tool, or hides it from pages; `invalid-options`: a
   * server without `apps: true`
   * @example
   * // The page sent `tools/call` with `{ name, arguments }` through its frame.
   * const result = await provider.callAppTool({ server: 'shop', tool: name, input: arguments });
   */
  callAppTool(call: McpAppToolCall): Promise<McpAppToolResult>;
  /**
   * Completes the sign-in that `redirectToAuthorization` of an MCP server's `authProvider` began: checks that the
   * answer belongs to it (`state`, and `iss` if present or required), and gets the tokens. The next call has its tools.
   *
   * @param callbackUrl the URL to which the browser returned, or its path and query
   * @throws ResponsesLoopError `sign-in-failed`
   * @example
   * app.get('/callback', async (request, response) => {
   *   await provider.finishSignIn('docs', request.url);
   *   response.send('You may close this window.');
   * });
   */
  finishSignIn(server: string, callbackUrl: string | URL): Promise<void>;
  /** The URL of a model's requests, and the reasons for it. */
  endpoint(modelId: ModelId): EndpointInfo;
  /**
   * Requests a summary of a conversation (`POST /responses/compact`), so that the next call begins with less. Keys,
   * headers, retries, timeouts and hooks are those of any request. Put the unchanged result in front of the next
   * messages.
   *
   * @throws ApiError if the server does not support it, with an alternative in its message
   * @example
   * const { messages } = await provider.compact({ modelId: 'gpt-5.1', messages: history });
   * streamText({ model: provider('gpt-5.1'), messages: [...messages, { role: 'user', content: 'Go on.' }] });
   */
  compact(options: CompactOptions): Promise<CompactedConversation<Message>>;
  /** Ends all MCP connections, child processes and running calls; refuses later calls. May be called more than once. */
  close(): Promise<void>;
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Selects the conversation to compact, and the options of the request. */
export interface CompactOptions {
  /** The model for the summary. */
  readonly modelId: ModelId;
  /** As a call has them: messages of the AI SDK, or the prompt of a model. */
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  /** As a call has them: instructions, `promptCacheKey`, `previousResponseId`, `serviceTier`. */
  readonly providerOptions?: unknown;
  /** Headers of this request alone. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Ends the request. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** Shared by all copies of this package, so that each accepts the others' providers. */
const ENGINE = Symbol.for('responses-loop.engine');

/** V4 has a part for a summary. */
interface CompactedMessages {
  readonly v2: CompactedMessage;
  readonly v3: CompactedMessage;
  readonly v4: CompactedMessageV4;
}

type LanguageProvider<Version extends VersionName> = ResponsesProvider<
  LanguageModel<Version>,
  CompactedMessages[Version]
>;

/** The provider of one AI SDK version. */
export type ProviderOf<Version extends VersionName> = LanguageProvider<Version> & OtherModels[Version];

/** Creates a provider for one AI SDK version. */
export function createProvider<Version extends VersionName>(
  settings: ResponsesProviderSettings,
  version: Version,
  conventions: ProviderConventions,
): ProviderOf<Version> {
  const engine = new ProviderEngine(settings, conventions);
  const languageModel = (modelId: string, own?: LoopSettings): LanguageModel<Version> =>
    createLanguageModel(engine, checkModelId(modelId), version, own);
  const close = (): Promise<void> => engine.close();
  const provider: LanguageProvider<Version> = Object.assign(
    (modelId: string, own?: LoopSettings) => languageModel(modelId, own),
    {
      [ENGINE]: engine,
      languageModel,
      responses: languageModel,
      // The function has both forms, each with its own type.
      tools: (async ({ runBy = 'model' } = {}) => {
        if (runBy === 'sdk') return engine.sdkTools(version);
        if (runBy !== 'model')
          throw invalidSettings(`tools({ runBy }) takes 'model' or 'sdk', not ${JSON.stringify(runBy)}.`);
        const toolset = await engine.toolset();
        return (await onDemand.stubs()).createToolStubs(toolset);
      }) as LanguageProvider<Version>['tools'],
      listTools: async () => {
        const toolset = await engine.toolset();
        return (await onDemand.stubs()).describeTools(toolset);
      },
      mcpClient: async (server: string) => (await engine.registry.source(server)).client(),
      readAppResource: async (wanted: McpAppResourceRequest) => (await engine.apps()).read(wanted),
      callAppTool: async (wanted: McpAppToolCall) => (await engine.apps()).call(wanted),
      finishSignIn: (server: string, callbackUrl: string | URL) => engine.registry.finishSignIn(server, callbackUrl),
      endpoint: (modelId: string): EndpointInfo => {
        const { url, profile, reasons } = engine.endpoint(modelId);
        return { url: redactUrl(url), backend: profile.name, reasons };
      },
      compact: async (options: CompactOptions) => {
        // Code without types may pass nothing.
        if (!Array.isArray(asRecord(options)?.['messages']))
          throw invalidSettings('compact() takes { modelId, messages }, messages as a list.');
        const { modelId, messages, ...others } = options;
        const compacted = await engine.compact(checkModelId(modelId), { prompt: messages, ...others }, version);
        // Creates the parts of V4 for V4 only.
        return compacted as CompactedConversation<CompactedMessages[Version]>;
      },
      close,
      [Symbol.asyncDispose]: close,
    },
  );
  return Object.assign(provider, OTHER_MODELS[version]);
}

/** The engine of a provider of ours. */
export function engineOf(provider: unknown): Engine {
  const engine: unknown = typeof provider === 'function' ? Reflect.get(provider, ENGINE) : undefined;
  // An object with the symbol is an engine.
  if (isRecord(engine)) return engine as unknown as Engine;
  throw invalidSettings(
    'The setting "primary" must be a provider from createResponsesProvider(). If you wrap it, wrap the result instead.',
  );
}

/** The usual reason is an unset `process.env.MODEL!`. */
export function checkModelId(modelId: unknown): string {
  if (typeof modelId === 'string' && modelId.trim() !== '') return modelId;
  throw invalidSettings(
    `The model id must be a text that is not empty, not ${JSON.stringify(modelId) ?? 'undefined'}.`,
  );
}

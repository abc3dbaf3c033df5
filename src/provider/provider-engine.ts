import type { Redactor } from '../observe/redactor.js';
import { clean } from '../core/clean-text.js';
import { providerClosed } from '../errors/provider-closed.js';
import { observersLoading } from '../observe/notify.js';
import type { Endpoint } from '../request/endpoint.js';
import type { ApiKeySetting } from '../request/key-pool.js';
import { readKeys } from '../request/read-keys.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import type { Toolset, ToolRegistry } from '../tools/loop-tool.js';
import { abortError, type AbortLike, Cancellation, onceAborted, raceAbort } from '../util/abort.js';
import { timerMs } from '../util/timers.js';
import type { CallPlugin } from '../loop/call-plugin.js';
import type { Calls } from './calls.js';
import { checkLoopSettings, loopOptionsOfCalls } from '../settings/check-loop-settings.js';
import { checkSettings } from '../settings/check-settings.js';
import { checkGivenKey, environmentKey } from '../settings/environment-key.js';
import { readEnvironment } from '../settings/environment.js';
import type { ProviderConventions } from '../settings/conventions.js';
import type { EngineCall } from '../sdk/parts/stream-result.js';
import type { VersionName } from '../sdk/parts/versions.js';
import type { CompactedConversation } from '../sdk/parts/compacted.js';
import type { CallEnds, Engine, StartOptions } from './engine.js';
import type { AnyCallOptions } from '../sdk/prompt/from-call-options.js';
import type { LoopSettings } from '../settings/loop-settings.js';
import { ModelSettings, type ModelSettingsOptions } from '../settings/model-settings.js';
import { onDemand } from './on-demand.js';
import type { McpApps } from './mcp-apps.js';
import { Rings } from './rings.js';
import { resolveSchema } from './resolve-schema.js';
import type { SdkTools } from './sdk-tools.js';
import { ToolRunners } from './tool-runners.js';
import { type KnownRegistry, type FixedToolsetOptions, NO_TOOLS } from './toolset.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';
import type { ToolRegistryOptions } from '../tools/create-tool-registry.js';

export class ProviderEngine implements Engine {
  readonly name: string;
  readonly registry: KnownRegistry;
  readonly #settings: ResponsesProviderSettings;
  readonly #environment = readEnvironment();
  readonly #conventions: ProviderConventions;
  readonly #apiKey: ApiKeySetting | undefined;
  readonly #toolsets: FixedToolsetOptions;
  readonly #rings: Rings;
  readonly #runners: ToolRunners;
  /** Ends all running work. */
  readonly #closed = new Cancellation();
  #calls: Calls | undefined;
  #latest: { readonly modelId: string; readonly settings: ModelSettings } | undefined;
  /** By the own settings of a model. */
  readonly #models = new WeakMap<LoopSettings, ModelSettings>();
  #callCount = 0;

  constructor(settings: ResponsesProviderSettings, conventions: ProviderConventions) {
    checkSettings(settings);
    this.#settings = settings;
    this.#conventions = conventions;
    this.name = settings.name ?? conventions.name;
    // A base URL that cannot be read is refused here.
    const { url } = this.endpoint('');
    checkGivenKey(this.#for(''));
    const apiKey = settings.apiKey ?? environmentKey(settings, this.#environment, url);
    this.#apiKey = typeof apiKey === 'function' ? apiKey : readKeys(apiKey);
    this.registry = createRegistry(settings);
    this.#rings = new Rings({ settings, hasLoopTools: !this.registry.isEmpty, closed: this.#closed });
    this.#runners = new ToolRunners();
    this.#toolsets = { nameClash: settings.nameClash ?? conventions.nameClash };
    // A call waits for it, and rejects if it fails.
    onDemand.calls().catch(() => {});
  }

  /** Settings do not change, and apps mostly call one model repeatedly. */
  #for(modelId: string, own?: LoopSettings): ModelSettings {
    if (own !== undefined) return this.#models.get(own) ?? this.#withOwn(modelId, own);
    if (this.#latest?.modelId === modelId) return this.#latest.settings;
    const settings = new ModelSettings(this.#all, modelId);
    this.#latest = { modelId, settings };
    return settings;
  }

  #withOwn(modelId: string, own: LoopSettings): ModelSettings {
    const settings = new ModelSettings(this.#all, modelId, [own]);
    this.#models.set(own, settings);
    return settings;
  }

  get #all(): ModelSettingsOptions {
    return { settings: this.#settings, conventions: this.#conventions, environment: this.#environment };
  }

  own(given: unknown): LoopSettings | undefined {
    return checkLoopSettings(given, this.#settings);
  }

  endpoint(modelId: string): Endpoint {
    return this.#for(modelId).endpoint;
  }

  get redactor(): Redactor | undefined {
    return this.#calls?.redactor;
  }

  toolset(): Promise<Toolset> {
    return this.registry.toolset({ clientNames: [], ...this.#toolsets });
  }

  async sdkTools(version: VersionName): Promise<SdkTools> {
    // At once, because a call that begins while servers connect must not run the tools in the loop.
    this.#runners.handOut();
    const toolset = await this.toolset();
    const calls = this.#calls ?? (await this.#loadCalls());
    const { createSdkTools } = await onDemand.sdkTools();
    return createSdkTools(toolset, { ...calls.sdkHost(this.#for('')), closed: this.#closed, version });
  }

  async apps(): Promise<McpApps> {
    const calls = this.#calls ?? (await this.#loadCalls());
    const { McpApps } = await onDemand.apps();
    const { registry } = this;
    const toolset = this.#toolsets;
    return new McpApps({ ...calls.sdkHost(this.#for('')), closed: this.#closed, registry, toolset });
  }

  close(): Promise<void> {
    this.#closed.cancel(providerClosed());
    return this.registry.close();
  }

  async compact(modelId: string, options: AnyCallOptions, version: VersionName): Promise<CompactedConversation> {
    const callNumber = this.#nextCall();
    const ends = callEnds(options.abortSignal, this.#settings.timeouts?.totalMs, this.#closed);
    try {
      const calls = this.#calls ?? (await raceAbort(this.#loadCalls(), ends.any));
      const { compactConversation } = await raceAbort(onDemand.compact(), ends.any);
      const how = { version, stream: false };
      return await compactConversation(calls, { modelId, model: this.#for(modelId), options, how, callNumber, ends });
    } finally {
      ends.release();
    }
  }

  #nextCall(): number {
    if (this.#closed.aborted) throw abortError(this.#closed);
    this.#callCount += 1;
    return this.#callCount;
  }

  async start(modelId: string, options: AnyCallOptions, how: StartOptions): Promise<EngineCall> {
    const callNumber = this.#nextCall();
    const plugin = how.plugin ?? this.plugin(modelId);
    // Awaited below, unless the call ends before.
    if (plugin instanceof Promise) plugin.catch(() => {});
    const ends = callEnds(options.abortSignal, this.#settings.timeouts?.totalMs, this.#closed);
    let opened: CallPlugin | undefined;
    try {
      const loading = observersLoading();
      const calls = this.#calls ?? (await raceAbort(this.#loadCalls(), ends.any));
      if (loading !== undefined) await raceAbort(loading, ends.any);
      opened = plugin instanceof Promise ? await plugin : plugin;
      const wanted = { modelId, model: this.#for(modelId, how.own), options, callNumber, ends };
      return await calls.start({ how: opened === undefined ? how : { ...how, plugin: opened }, ...wanted });
    } catch (error) {
      try {
        // A plugin that was passed in reports to its owner.
        throw how.plugin === undefined && opened !== undefined ? await opened.failed(error) : error;
      } finally {
        ends.release();
      }
    }
  }

  plugin(modelId: string): Promise<CallPlugin> | undefined {
    return this.#rings.plugin(modelId);
  }

  async #loadCalls(): Promise<Calls> {
    const { Calls, CutOutputs } = await onDemand.calls();
    this.#calls ??= new Calls({
      settings: this.#settings,
      environment: this.#environment,
      apiKey: this.#apiKey,
      registry: this.registry,
      rings: this.#rings,
      toolsets: this.#toolsets,
      runners: this.#runners,
      outputs: new CutOutputs(this.#settings.outputs),
      loopOptions: loopOptionsOfCalls(this.#settings),
      name: this.name,
      defaults: this.#conventions.defaults,
    });
    return this.#calls;
  }
}

function createRegistry(settings: ResponsesProviderSettings): KnownRegistry {
  const { mcpServers, tools, timeouts, fetch, onEvent, onElicitation, onToolsChanged, limits } = settings;
  return lazyRegistry({
    onElicitation,
    onToolsChanged,
    mcpServers: mcpServers ?? {},
    tools: tools ?? {},
    resolveSchema,
    connectTimeoutMs: timeouts?.connectMs,
    fetch,
    limits,
    observer: onEvent,
  });
}

function callEnds(abortSignal: AbortSignal | undefined, totalMs = 0, closed: AbortLike): CallEnds {
  const userAbort = new Cancellation();
  const any = new Cancellation();
  const end = (reason: unknown): void => any.cancel(reason);
  const releases = [
    onceAborted(abortSignal, (reason) => userAbort.cancel(reason)),
    onceAborted(userAbort, end),
    onceAborted(closed, end),
  ];
  const timer = totalMs > 0 ? setTimeout(() => end(outOfTime(totalMs)), timerMs(totalMs)) : undefined;
  return {
    userAbort,
    any,
    release() {
      for (const release of releases) release();
      clearTimeout(timer);
    },
    also: (release) => void releases.push(release),
  };
}

/** Not retryable, because a retry would have the whole time again. */
function outOfTime(totalMs: number): ResponsesLoopError {
  const message = clean`The call took longer than ${totalMs} ms in total (timeouts.totalMs).`;
  return new ResponsesLoopError({ code: 'timeout', message });
}

const NO_SECRETS: readonly string[] = [];

type CreateRegistry = (options: ToolRegistryOptions) => ToolRegistry;

/** The tools of a provider, whose code is loaded when it is first needed. Settings are checked before. */
function lazyRegistry(options: ToolRegistryOptions): KnownRegistry {
  const isEmpty = Object.keys({ ...options.mcpServers, ...options.tools }).length === 0;
  let isClosed = false;
  let loading: Promise<ToolRegistry> | undefined;
  let loaded: ToolRegistry | undefined;

  /**
   * Connections are shared, so they are made in the asynchronous context that the provider was created in, not in that of the
   * first call: a continuation keeps the context it was attached in.
   */
  let arrive: (create: CreateRegistry) => void = () => {};
  const created = new Promise<CreateRegistry>((resolve) => {
    arrive = resolve;
  }).then((create) => (loaded = create(options)));

  const load = (): Promise<ToolRegistry> => {
    if (isClosed) throw providerClosed();
    loading ??= onDemand.tools().then(({ createToolRegistry }) => {
      arrive(createToolRegistry);
      return created;
    });
    // A chunk that failed may load the next time.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };

  return {
    isEmpty,
    async toolset(wanted) {
      if (isClosed) throw providerClosed();
      if (isEmpty) return NO_TOOLS;
      const registry = loaded ?? (await raceAbort(load(), wanted.signal));
      return registry.toolset(wanted);
    },
    async source(key) {
      return (await load()).source(key);
    },
    async finishSignIn(key, callbackUrl) {
      await (await load()).finishSignIn(key, callbackUrl);
    },
    secrets: () => loaded?.secrets() ?? NO_SECRETS,
    async close() {
      isClosed = true;
      const registry = await loading?.catch(() => undefined);
      await registry?.close();
    },
  };
}

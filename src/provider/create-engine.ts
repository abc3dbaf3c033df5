import { providerClosed } from '../errors/provider-closed.js';
import { notify } from '../observe/notify.js';
import type { Endpoint } from '../request/endpoint.js';
import type { ApiKeySetting } from '../request/key-pool.js';
import { readKeys } from '../request/read-keys.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import type { Toolset } from '../tools/loop-tool.js';
import type { McpLiveClient } from '../tools/mcp/connect/client-like.js';
import { abortError, type AbortLike, Cancellation, onceAborted, raceAbort } from '../util/abort.js';
import type { CallJournal } from '../journal/call-journal.js';
import type { Calls } from './calls.js';
import { checkSettings } from '../settings/check-settings.js';
import { checkGivenKey, environmentKey } from '../settings/environment-key.js';
import { readEnvironment } from '../settings/environment.js';
import type { ProviderConventions } from '../settings/conventions.js';
import type { EngineCall } from '../sdk/parts/stream-result.js';
import type { VersionName } from '../sdk/parts/versions.js';
import type { CompactedConversation } from '../sdk/parts/compacted.js';
import type { CallEnds, Engine, StartOptions } from './engine.js';
import type { AnyCallOptions } from '../sdk/prompt/from-call-options.js';
import { lazyRegistry } from './lazy-registry.js';
import { ModelSettings } from '../settings/model-settings.js';
import { onDemand } from './on-demand.js';
import { resolveSchema } from './resolve-schema.js';
import type { KnownRegistry, FixedToolsetOptions } from './toolset.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';

export function createEngine(settings: ResponsesProviderSettings, conventions: ProviderConventions): Engine {
  checkSettings(settings);
  return new ProviderEngine(settings, conventions);
}

class ProviderEngine implements Engine {
  readonly name: string;
  readonly #settings: ResponsesProviderSettings;
  readonly #environment = readEnvironment();
  readonly #conventions: ProviderConventions;
  readonly #apiKey: ApiKeySetting | undefined;
  readonly #registry: KnownRegistry;
  readonly #toolsets: FixedToolsetOptions;
  /** Ends what is under way. */
  readonly #closed = new Cancellation();
  #calls: Calls | undefined;
  #latest: { readonly modelId: string; readonly settings: ModelSettings } | undefined;
  #callCount = 0;

  constructor(settings: ResponsesProviderSettings, conventions: ProviderConventions) {
    this.#settings = settings;
    this.#conventions = conventions;
    this.name = settings.name ?? conventions.name;
    // A base URL that cannot be read is refused here.
    const { url } = this.endpoint('');
    checkGivenKey(this.#for(''));
    const apiKey = settings.apiKey ?? environmentKey(settings, this.#environment, url);
    this.#apiKey = typeof apiKey === 'function' ? apiKey : readKeys(apiKey);
    this.#registry = createRegistry(settings);
    this.#toolsets = {
      nameClash: settings.nameClash ?? conventions.nameClash,
      strictSchemas: settings.strictSchemas ?? false,
    };
    // A call waits for it, and rejects if it fails.
    onDemand.calls().catch(() => {});
  }

  /** Settings do not change, and mostly one model is called again and again. */
  #for(modelId: string): ModelSettings {
    if (this.#latest?.modelId !== modelId) this.#latest = { modelId, settings: this.#read(modelId) };
    return this.#latest.settings;
  }

  #read(modelId: string): ModelSettings {
    return new ModelSettings(
      { settings: this.#settings, conventions: this.#conventions, environment: this.#environment },
      modelId,
    );
  }

  endpoint(modelId: string): Endpoint {
    return this.#for(modelId).endpoint;
  }

  toolset(): Promise<Toolset> {
    return this.#registry.toolset({ clientNames: [], ...this.#toolsets });
  }

  mcpClient(key: string): Promise<McpLiveClient> {
    return this.#registry.client(key);
  }

  finishSignIn(key: string, callbackUrl: string | URL): Promise<void> {
    return this.#registry.finishSignIn(key, callbackUrl);
  }

  close(): Promise<void> {
    this.#closed.cancel(providerClosed());
    return this.#registry.close();
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
    const closed = this.#closed;
    const callNumber = this.#nextCall();
    const { fallback } = how;
    if (fallback !== undefined)
      notify(this.#settings.onEvent, () => ({ type: 'fallback', callNumber, modelId, ...fallback }));
    const journal = how.journal ?? this.journal(modelId);
    // Awaited below, unless the call ends before.
    if (journal instanceof Promise) journal.catch(() => {});
    const ends = callEnds(options.abortSignal, this.#settings.timeouts?.totalMs, closed);
    try {
      const calls = this.#calls ?? (await raceAbort(this.#loadCalls(), ends.any));
      const wanted = { modelId, model: this.#for(modelId), options, callNumber, ends };
      if (journal === undefined) return await calls.start({ how, ...wanted });
      const isOwn = how.journal === undefined;
      return await startJournaled(await journal, isOwn, (opened) =>
        calls.start({ how: { ...how, journal: opened }, ...wanted }),
      );
    } catch (error) {
      ends.release();
      throw error;
    }
  }

  journal(modelId: string): Promise<CallJournal | undefined> | undefined {
    const { journal } = this.#settings;
    const asked: unknown = typeof journal === 'function' ? journal() : journal;
    return asked === undefined ? undefined : openJournal(asked, modelId);
  }

  async #loadCalls(): Promise<Calls> {
    const { Calls } = await onDemand.calls();
    this.#calls ??= new Calls({
      settings: this.#settings,
      environment: this.#environment,
      apiKey: this.#apiKey,
      registry: this.#registry,
      toolsets: this.#toolsets,
      name: this.name,
      defaults: this.#conventions.defaults,
      closed: this.#closed,
    });
    return this.#calls;
  }
}

/** Whoever opened the journal says if the call could not be started. */
async function startJournaled(
  opened: CallJournal | undefined,
  isOwn: boolean,
  start: (journal: CallJournal | undefined) => Promise<EngineCall>,
): Promise<EngineCall> {
  try {
    return await start(opened);
  } catch (error) {
    if (isOwn) await opened?.failed(error);
    throw error;
  }
}

async function openJournal(asked: unknown, modelId: string): Promise<CallJournal> {
  const { CallJournal } = await onDemand.journal();
  return new CallJournal(asked, modelId);
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

function callEnds(abortSignal: AbortSignal | undefined, totalMs: number | undefined, closed: AbortLike): CallEnds {
  const userAbort = new Cancellation();
  const any = new Cancellation();
  const end = (reason: unknown): void => any.cancel(reason);
  const ofCaller = onceAborted(abortSignal, (reason) => userAbort.cancel(reason));
  const ofUserAbort = onceAborted(userAbort, end);
  const ofClosed = onceAborted(closed, end);
  const timer = totalMs === undefined ? undefined : startDeadline(totalMs, end);
  return {
    userAbort,
    any,
    release() {
      ofCaller();
      ofUserAbort();
      ofClosed();
      clearTimeout(timer);
    },
  };
}

/** Almost 25 days; a timer for longer would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The end of a whole call. Not retryable: a call that is begun again would have the same time once more. */
function startDeadline(totalMs: number, end: (error: Error) => void): ReturnType<typeof setTimeout> | undefined {
  if (totalMs === 0 || totalMs > LONGEST_TIMER_MS) return undefined;
  const message = `The call took longer than ${totalMs} ms in all (timeouts.totalMs).`;
  return setTimeout(() => end(new ResponsesLoopError({ code: 'timeout', message })), totalMs);
}

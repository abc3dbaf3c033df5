import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { Profile } from '../core/profile.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { createPump, type Pump } from '../loop/pump.js';
import { startCall } from '../loop/run-call.js';
import type { CallPart } from '../core/part.js';
import { redactUrl } from '../observe/redact.js';
import { buildHeaders } from '../request/build-headers.js';
import { createRequestBuilder } from '../request/build-request.js';
import { type Endpoint, resolveEndpoint } from '../request/endpoint.js';
import { createKeyPool, type PickedKey } from '../request/key-pool.js';
import { PROFILES } from '../request/profiles.js';
import { createToolRegistry } from '../tools/create-tool-registry.js';
import type { LoopTool, ToolOffer } from '../tools/loop-tool.js';
import { createHttpTransport } from '../transport/http-transport.js';
import { followAbort, raceAbort } from '../util/abort.js';
import { shortHash } from '../util/hash.js';
import { checkSettings } from './check-settings.js';
import { readEnvironment } from './environment.js';
import { type AnyCallOptions, fromCallOptions } from './from-call-options.js';
import type { MetadataContext } from './metadata.js';
import { createLearnedRefusals } from './learned-refusals.js';
import { overridesFor } from './model-overrides.js';
import { createWireRounds } from './open-wire-round.js';
import { resolveSchema } from './resolve-schema.js';
import type { ResponsesProviderSettings } from './settings.js';

/** What differs between the names this package goes by. */
export interface ProviderConventions {
  readonly name: string;
  readonly slashKeepsPath: boolean;
  readonly defaults: JsonObject;
  readonly nameClash: 'rename' | 'loop';
}

export const CONVENTIONS: ProviderConventions = {
  name: 'responses-loop',
  slashKeepsPath: false,
  defaults: {},
  nameClash: 'rename',
};

/** A call under way, ready for an adapter to translate. */
export interface EngineCall {
  readonly pump: Pump<readonly CallPart[]>;
  readonly warnings: readonly string[];
  readonly requestBody: unknown;
  readonly responseHeaders: Readonly<Record<string, string>> | undefined;
  readonly metadata: MetadataContext;
  /** Ends the call early: the consumer went away. */
  cancel(reason?: unknown): void;
}

export interface StartOptions {
  readonly stream: boolean;
  /** Whether a loop tool's parts can be shown by this adapter. */
  readonly shows: 'all' | 'declared';
}

/** Everything below the AI SDK: one per provider. */
export interface Engine {
  readonly name: string;
  start(modelId: string, options: AnyCallOptions, how: StartOptions): Promise<EngineCall>;
  endpoint(modelId: string): Endpoint;
  offer(): Promise<ToolOffer>;
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 900_000;
const DEFAULT_MAX_ROUNDS = 20;
const DEFAULT_MAX_RETRIES = 2;

export function createEngine(settings: ResponsesProviderSettings, conventions: ProviderConventions): Engine {
  checkSettings(settings);
  return new ProviderEngine(settings, conventions);
}

class ProviderEngine implements Engine {
  readonly name: string;
  readonly #settings: ResponsesProviderSettings;
  readonly #conventions: ProviderConventions;
  readonly #baseURL: string;
  readonly #keys;
  readonly #registry;
  readonly #transport;
  readonly #learned = createLearnedRefusals();
  #callCount = 0;

  constructor(settings: ResponsesProviderSettings, conventions: ProviderConventions) {
    this.#settings = settings;
    this.#conventions = conventions;
    this.name = settings.name ?? conventions.name;
    const environment = readEnvironment();
    this.#baseURL = settings.baseURL ?? environment.baseURL ?? 'https://api.openai.com/v1';
    const { profile } = this.endpoint('');
    // A key of OpenAI goes to OpenAI only, whatever the environment holds.
    const apiKey = settings.apiKey ?? (profile.name === 'openai' ? environment.apiKey : undefined);
    this.#keys = createKeyPool(apiKey);
    const fetch = settings.fetch === undefined ? {} : { fetch: settings.fetch };
    const observer = settings.onEvent === undefined ? {} : { observer: settings.onEvent };
    this.#registry = createToolRegistry({
      mcpServers: settings.mcpServers ?? {},
      tools: settings.tools ?? {},
      resolveSchema,
      ...fetch,
      ...observer,
    });
    this.#transport = createHttpTransport({
      headersMs: settings.timeouts?.headersMs ?? DEFAULT_TIMEOUT_MS,
      idleMs: settings.timeouts?.idleMs ?? DEFAULT_TIMEOUT_MS,
      secrets: () => this.#keys.secrets(),
      ...fetch,
      ...observer,
    });
  }

  endpoint(modelId: string): Endpoint {
    const { backend, query } = this.#settings;
    const queries = overridesFor(modelId, this.#settings.models).map((overrides) => overrides.query ?? {});
    const profile = typeof backend === 'string' ? (backend === 'auto' ? undefined : PROFILES[backend]) : backend;
    return resolveEndpoint({
      baseURL: this.#baseURL,
      ...(profile === undefined ? {} : { profile }),
      slashKeepsPath: this.#conventions.slashKeepsPath,
      query: Object.assign({}, query, ...queries) as Record<string, string>,
    });
  }

  offer(): Promise<ToolOffer> {
    return this.#registry.offer({ clientNames: [], nameClash: this.#nameClash });
  }

  close(): Promise<void> {
    return this.#registry.close();
  }

  async start(modelId: string, options: AnyCallOptions, how: StartOptions): Promise<EngineCall> {
    this.#callCount += 1;
    const callNumber = this.#callCount;
    const { call, warnings } = fromCallOptions(modelId, options, how.stream);
    const { controller, release } = followAbort(call.signal);
    try {
      const endpoint = this.endpoint(modelId);
      const key = await raceAbort(this.#pickKey(call, endpoint), controller.signal);
      const offer = await raceAbort(this.#offerFor(call, controller.signal), controller.signal);
      const origin = originOf(endpoint, modelId, key);
      const wire = this.#wireRounds(call, endpoint, key, origin);
      const started = await startCall({
        call: withoutShadowed(call, offer),
        offer,
        openRound: wire.openRound,
        limits: this.#limits(),
        preamble: this.#settings.preamble ?? 'text',
        shows: this.#shows(call, how),
        carrier: this.#settings.carrier !== 'none',
        callNumber,
        signal: controller.signal,
        now: Date.now,
        ...(this.#settings.onEvent === undefined ? {} : { observer: this.#settings.onEvent }),
      });
      return {
        pump: createPump(releasing(started.batches, release), controller.signal),
        warnings: [...warnings, ...offer.warnings, ...wire.warnings],
        requestBody: started.requestBody,
        responseHeaders: started.responseHeaders,
        metadata: { origin, stored: wire.stored },
        cancel: (reason) => controller.abort(reason),
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  get #nameClash(): 'rename' | 'loop' {
    return this.#settings.nameClash ?? this.#conventions.nameClash;
  }

  #limits() {
    const { maxRounds, maxToolCalls, toolConcurrency, toolTimeoutMs, maxToolOutputChars } = this.#settings;
    return {
      maxRounds: maxRounds ?? DEFAULT_MAX_ROUNDS,
      maxToolCalls: maxToolCalls ?? Number.POSITIVE_INFINITY,
      toolConcurrency: toolConcurrency ?? 'auto',
      ...(toolTimeoutMs === undefined ? {} : { toolTimeoutMs }),
      ...(maxToolOutputChars === undefined ? {} : { maxToolOutputChars }),
    } as const;
  }

  #shows(call: Call, how: StartOptions): (name: string) => boolean {
    const mode = this.#settings.toolParts ?? how.shows;
    const declared = new Set(call.declaredLoopTools);
    return (name) => mode === 'all' || (mode === 'declared' && declared.has(name));
  }

  async #pickKey(call: Call, endpoint: Endpoint): Promise<PickedKey> {
    const key = await this.#keys.pick(call.modelId, sealedFor(call));
    if (key.key === undefined && endpoint.profile.requiresKey && !this.#sendsOwnAuth()) {
      throw new ResponsesLoopError({
        code: 'missing-api-key',
        message: `${redactUrl(endpoint.url)} needs an API key: pass apiKey, or set OPENAI_API_KEY for OpenAI.`,
      });
    }
    return key;
  }

  #sendsOwnAuth(): boolean {
    const names = Object.keys(this.#settings.headers ?? {}).map((name) => name.toLowerCase());
    return this.#settings.auth === 'none' || names.includes('authorization') || names.includes('api-key');
  }

  /** With `toolChoice: none` the AI SDK takes any call of ours for a violation. */
  async #offerFor(call: Call, signal: AbortSignal): Promise<ToolOffer> {
    if (call.toolChoice.type === 'none') return { tools: [], byWireName: new Map<string, LoopTool>(), warnings: [] };
    const clientNames = call.clientTools.map((tool) => tool.name);
    return this.#registry.offer({ clientNames, nameClash: this.#nameClash, signal });
  }

  #wireRounds(call: Call, endpoint: Endpoint, key: PickedKey, origin: string) {
    const overrides = overridesFor(call.modelId, this.#settings.models);
    const profile: Profile = { ...endpoint.profile, auth: this.#settings.auth ?? endpoint.profile.auth };
    const deployed = endpoint.deployment === undefined ? call : { ...call, modelId: endpoint.deployment };
    const builder = createRequestBuilder({
      call: deployed,
      profile,
      origin,
      overrides: overrides.map((override) => override.body ?? {}),
      defaults: this.#conventions.defaults,
    });
    const headers = buildHeaders(profile.auth, key.key, [
      this.#settings.headers ?? {},
      ...overrides.map((override) => override.headers ?? {}),
      call.headers,
    ]);
    return {
      warnings: builder.warnings,
      stored: call.options['store'] === true,
      openRound: createWireRounds({
        builder,
        transport: this.#transport,
        url: endpoint.url,
        modelId: deployed.modelId,
        learned: this.#learned,
        headers,
        includeRaw: call.includeRaw,
        maxRetries: this.#settings.retry?.maxRetries ?? DEFAULT_MAX_RETRIES,
        ...(this.#settings.onEvent === undefined ? {} : { observer: this.#settings.onEvent }),
      }),
    };
  }
}

/** Where `nameClash: 'loop'` gave a name to us, the caller's tool of that name is not offered. */
function withoutShadowed(call: Call, offer: ToolOffer): Call {
  return { ...call, clientTools: call.clientTools.filter((tool) => !offer.byWireName.has(tool.name)) };
}

/** Host, model and key, as far as sealed reasoning depends on them; none of them can be read from it. */
function originOf(endpoint: Endpoint, modelId: string, key: PickedKey): string {
  return `${shortHash(endpoint.url)}.${shortHash(modelId)}.${key.fingerprint}`;
}

/** The key that the conversation's latest reasoning was sealed for. */
function sealedFor(call: Call): string | undefined {
  const origins = call.messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((content) => (content.type === 'reasoning' ? (content.origin ?? []) : []))
      : [],
  );
  return origins.at(-1)?.split('.').at(-1);
}

async function* releasing<T>(batches: AsyncGenerator<T, void, undefined>, release: () => void): AsyncGenerator<T, void, undefined> {
  try {
    yield* batches;
  } finally {
    release();
  }
}

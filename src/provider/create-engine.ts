import type { Call } from '../core/call.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { createPump } from '../loop/pump.js';
import { startCall } from '../loop/run-call.js';
import { notify } from '../observe/notify.js';
import { redactUrl } from '../observe/redact.js';
import { buildHeaders } from '../request/build-headers.js';
import { createRequestBuilder } from '../request/build-request.js';
import { type Endpoint, resolveEndpoint } from '../request/endpoint.js';
import { createKeyPool, type PickedKey } from '../request/key-pool.js';
import { PROFILES } from '../request/profiles.js';
import { createToolRegistry } from '../tools/create-tool-registry.js';
import type { LoopTool, ToolOffer } from '../tools/loop-tool.js';
import { createHttpTransport } from '../transport/http-transport.js';
import { abortError, followAbort, raceAbort } from '../util/abort.js';
import { checkSettings } from './check-settings.js';
import { readEnvironment } from './environment.js';
import { type AnyCallOptions, fromCallOptions } from './from-call-options.js';
import type { Engine, EngineCall, ProviderConventions, StartOptions } from './engine.js';
import { createDeadline } from './deadline.js';
import { withInstructions } from './with-instructions.js';
import { createLearnedRefusals } from './learned-refusals.js';
import { overridesFor } from './model-overrides.js';
import { createWireRounds } from './open-wire-round.js';
import { originOf, sealedFor } from './reasoning-origin.js';
import { resolveSchema } from './resolve-schema.js';
import type { ResponsesProviderSettings } from './settings.js';
import { defined } from '../util/defined.js';

const NO_OFFER: ToolOffer = { tools: [], byWireName: new Map<string, LoopTool>(), warnings: [], instructions: [] };
const AUTH_HEADERS = ['authorization', 'api-key', 'x-api-key', 'x-goog-api-key'];
const DEFAULT_TIMEOUT_MS = 900_000;
const DEFAULT_MAX_ROUNDS = 20;
const DEFAULT_MAX_RETRIES = 2;
const DEFAULT_MAX_REPEATED_ROUNDS = 5;

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
  /** Ends whatever is under way. */
  readonly #closed = new AbortController();
  #callCount = 0;

  constructor(settings: ResponsesProviderSettings, conventions: ProviderConventions) {
    this.#settings = settings;
    this.#conventions = conventions;
    this.name = settings.name ?? conventions.name;
    this.#baseURL = settings.baseURL ?? readEnvironment().baseURL ?? 'https://api.openai.com/v1';
    this.#keys = createKeyPool(settings.apiKey ?? this.#environmentKey());
    this.#registry = this.#createRegistry();
    this.#transport = this.#createTransport();
  }

  /** The environment's key goes to OpenAI, or where the environment sends it: never to a URL of the settings. */
  #environmentKey(): string | undefined {
    const environment = readEnvironment();
    const isFromEnvironment = this.#settings.baseURL === undefined && environment.baseURL !== undefined;
    return isOpenAi(this.endpoint('').url) || isFromEnvironment ? environment.apiKey : undefined;
  }

  #createRegistry() {
    const { mcpServers, tools, timeouts, fetch, onEvent, jsonSchemaValidator } = this.#settings;
    return createToolRegistry({
      jsonSchemaValidator,
      mcpServers: mcpServers ?? {},
      tools: tools ?? {},
      resolveSchema,
      connectTimeoutMs: timeouts?.connectMs,
      fetch,
      observer: onEvent,
    });
  }

  #createTransport() {
    const { timeouts, fetch, onEvent } = this.#settings;
    return createHttpTransport({
      headersMs: timeouts?.headersMs ?? DEFAULT_TIMEOUT_MS,
      idleMs: timeouts?.idleMs ?? DEFAULT_TIMEOUT_MS,
      secrets: () => this.#keys.secrets(),
      closed: this.#closed.signal,
      ...defined({ fetch, observer: onEvent }),
    });
  }

  endpoint(modelId: string): Endpoint {
    const { backend, query } = this.#settings;
    const queries = overridesFor(modelId, this.#settings.models).map((overrides) => overrides.query ?? {});
    const profile = typeof backend === 'string' ? (backend === 'auto' ? undefined : PROFILES[backend]) : backend;
    return resolveEndpoint({
      baseURL: this.#baseURL,
      ...defined({ profile }),
      slashKeepsPath: this.#conventions.slashKeepsPath,
      query: Object.assign({}, query, ...queries) as Record<string, string>,
    });
  }

  offer(): Promise<ToolOffer> {
    return this.#registry.offer({ clientNames: [], ...this.#offering });
  }

  close(): Promise<void> {
    this.#closed.abort(new ResponsesLoopError({ code: 'closed', message: 'The provider was closed.' }));
    return this.#registry.close();
  }

  async start(modelId: string, options: AnyCallOptions, how: StartOptions): Promise<EngineCall> {
    if (this.#closed.signal.aborted) throw abortError(this.#closed.signal);
    this.#callCount += 1;
    const callNumber = this.#callCount;
    const { call, warnings } = fromCallOptions(modelId, options, how.stream);
    const { controller, release: stopFollowing } = followAbort(call.signal);
    const deadline = createDeadline(this.#settings.timeouts?.totalMs);
    const ends = followAbort(controller.signal, deadline.signal);
    const release = (): void => {
      stopFollowing();
      deadline.release();
      ends.release();
    };
    try {
      const endpoint = this.endpoint(modelId);
      const { signal } = ends.controller;
      const key = await raceAbort(this.#keys.pick(modelId, sealedFor(call)), signal);
      const headers = this.#headersFor(call, endpoint, key);
      const offer = await raceAbort(this.#offerFor(call, signal), signal);
      const origin = originOf(endpoint, modelId, key);
      const wire = this.#wireRounds(call, endpoint, { headers, origin });
      const { approve, redactToolOutput, onUnknownTool } = this.#settings;
      const started = await startCall({
        call: withInstructions(withoutShadowed(call, offer), offer.instructions),
        offer,
        openRound: wire.openRound,
        limits: this.#limits(),
        preamble: this.#settings.preamble ?? 'text',
        shows: this.#shows(call, how),
        carrier: this.#settings.carrier !== 'none',
        callNumber,
        signal: controller.signal,
        closed: this.#closed.signal,
        now: Date.now,
        approve,
        redactToolOutput,
        onUnknownTool,
        ...defined({ deadline: deadline.signal, observer: this.#settings.onEvent }),
      });
      return {
        pump: createPump(releasing(started.batches, release), controller.signal),
        warnings: this.#announce([...warnings, ...offer.warnings, ...wire.warnings, ...unknownChoice(call, offer)]),
        requestBody: started.requestBody,
        responseHeaders: started.responseHeaders,
        metadata: { origin, stored: wire.stored },
        // The pump then lets the call clean up, although nobody reads any more.
        cancel: (reason) => controller.abort(reason),
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Warnings reach the caller with the call; whoever only watches hears them too. */
  #announce(warnings: readonly string[]): readonly string[] {
    for (const message of warnings) notify(this.#settings.onEvent, () => ({ type: 'warning', message }));
    return warnings;
  }

  get #offering() {
    return {
      nameClash: this.#settings.nameClash ?? this.#conventions.nameClash,
      strictSchemas: this.#settings.strictSchemas ?? false,
    };
  }

  #limits() {
    const { maxRounds, maxToolCalls, maxRepeatedRounds, toolConcurrency, retry } = this.#settings;
    const { toolTimeoutMs, toolTotalTimeoutMs, maxToolOutputChars } = this.#settings;
    return {
      maxRounds: maxRounds ?? DEFAULT_MAX_ROUNDS,
      maxToolCalls: maxToolCalls ?? Number.POSITIVE_INFINITY,
      maxRepeatedRounds: maxRepeatedRounds ?? DEFAULT_MAX_REPEATED_ROUNDS,
      toolConcurrency: toolConcurrency ?? 'auto',
      ...defined({ toolTimeoutMs, toolTotalTimeoutMs, maxToolOutputChars, maxToolRetries: retry?.maxToolRetries }),
    } as const;
  }

  #shows(call: Call, how: StartOptions): (name: string) => boolean {
    const mode = this.#settings.toolParts ?? how.shows;
    const declared = new Set(call.declaredLoopTools);
    return (name) => mode === 'all' || (mode === 'declared' && declared.has(name));
  }

  /** The same headers for every round. Refused here when the back end wants a key and nothing in them or the URL is one. */
  #headersFor(call: Call, endpoint: Endpoint, { key }: PickedKey): Record<string, string> {
    const auth = this.#settings.auth ?? endpoint.profile.auth;
    const overrides = overridesFor(call.modelId, this.#settings.models).map((override) => override.headers ?? {});
    const headers = buildHeaders(auth, key, [this.#settings.headers ?? {}, ...overrides, call.headers]);
    const isAuthorized =
      AUTH_HEADERS.some((name) => name in headers) || /[?&](key|api-key|api_key)=/i.test(endpoint.url);
    if (isAuthorized || auth === 'none' || !endpoint.profile.requiresKey) return headers;
    throw new ResponsesLoopError({
      code: 'missing-api-key',
      message: `${redactUrl(endpoint.url)} needs an API key: pass apiKey${isOpenAi(endpoint.url) ? ', or set OPENAI_API_KEY' : ''}.`,
    });
  }

  /** With `toolChoice: none` the AI SDK takes any call of ours for a violation. */
  async #offerFor(call: Call, signal: AbortSignal): Promise<ToolOffer> {
    if (call.toolChoice.type === 'none') return NO_OFFER;
    const clientNames = call.clientTools.map((tool) => tool.name);
    return this.#registry.offer({ clientNames, ...this.#offering, signal });
  }

  #wireRounds(
    call: Call,
    endpoint: Endpoint,
    sender: { readonly headers: Record<string, string>; readonly origin: string },
  ) {
    const overrides = overridesFor(call.modelId, this.#settings.models);
    const deployed = endpoint.deployment === undefined ? call : { ...call, modelId: endpoint.deployment };
    const builder = createRequestBuilder({
      call: deployed,
      profile: endpoint.profile,
      origin: sender.origin,
      overrides: overrides.map((override) => override.body ?? {}),
      defaults: this.#conventions.defaults,
    });
    return {
      warnings: builder.warnings,
      stored: call.options['store'] === true,
      openRound: createWireRounds({
        builder,
        transport: this.#transport,
        url: endpoint.url,
        modelId: deployed.modelId,
        learned: this.#learned,
        headers: sender.headers,
        includeRaw: call.includeRaw,
        maxRetries: this.#settings.retry?.maxRetries ?? DEFAULT_MAX_RETRIES,
        ...defined({ observer: this.#settings.onEvent }),
      }),
    };
  }
}

/** Where `nameClash: 'loop'` gave a name to us, the caller's tool of that name is not offered. */
function withoutShadowed(call: Call, offer: ToolOffer): Call {
  return { ...call, clientTools: call.clientTools.filter((tool) => !offer.byWireName.has(tool.name)) };
}

function isOpenAi(url: string): boolean {
  return new URL(url).hostname === 'api.openai.com';
}

/** The server would refuse it without naming it, or do as it likes. */
function unknownChoice({ toolChoice, clientTools, hostedTools }: Call, offer: ToolOffer): string[] {
  if (toolChoice.type !== 'tool' || offer.byWireName.has(toolChoice.name)) return [];
  const isKnown = [...clientTools, ...hostedTools].some((tool) => tool.name === toolChoice.name);
  return isKnown ? [] : [`toolChoice names "${toolChoice.name}", which is none of the tools of this call.`];
}

async function* releasing<T>(
  batches: AsyncGenerator<T, void, undefined>,
  release: () => void,
): AsyncGenerator<T, void, undefined> {
  try {
    yield* batches;
  } finally {
    release();
  }
}

import { providerClosed } from '../errors/provider-closed.js';
import type { Call } from '../core/call.js';
import { ApprovalSeal } from '../loop/approval-seal.js';
import { createPump } from '../loop/pump.js';
import { readApprovals } from '../loop/read-approvals.js';
import { startCall } from '../loop/run-call.js';
import { notify } from '../observe/notify.js';
import { redactError } from '../observe/redact-error.js';
import type { Endpoint } from '../request/endpoint.js';
import { createKeyPool, type KeyPool, type PickedKey, type PickOptions } from '../request/key-pool.js';
import type { ToolOffer } from '../tools/loop-tool.js';
import type { McpLiveClient } from '../tools/mcp/client-like.js';
import { createHttpTransport } from '../transport/http-transport.js';
import { abortError, followAbort, raceAbort } from '../util/abort.js';
import { defined } from '../util/defined.js';
import { CallKeys } from './call-keys.js';
import { checkSettings } from './check-settings.js';
import { checkGivenKey, checkKey, environmentKey, hintFor } from './environment-key.js';
import { readEnvironment } from './environment.js';
import { createDeadline } from './deadline.js';
import type { Engine, EngineCall, ProviderConventions, StartOptions } from './engine.js';
import { type AnyCallOptions, fromCallOptions } from './from-call-options.js';
import { lazyRegistry } from './lazy-registry.js';
import { createLearnedRefusals } from './learned-refusals.js';
import { ModelSettings } from './model-settings.js';
import { Offers, unknownChoice, withoutShadowed } from './offers.js';
import { createWireRounds } from './open-wire-round.js';
import { originOf, sealedFor } from './reasoning-origin.js';
import { type DraftOptions, draftRequest } from './request-draft.js';
import { resolveSchema } from './resolve-schema.js';
import { RoundBodies } from './round-bodies.js';
import type { ResponsesProviderSettings } from './settings.js';
import { withInstructions } from './with-instructions.js';

const DEFAULT_TIMEOUT_MS = 900_000;

export function createEngine(settings: ResponsesProviderSettings, conventions: ProviderConventions): Engine {
  checkSettings(settings);
  return new ProviderEngine(settings, conventions);
}

class ProviderEngine implements Engine {
  readonly name: string;
  readonly #settings: ResponsesProviderSettings;
  readonly #environment = readEnvironment();
  readonly #conventions: ProviderConventions;
  readonly #keys: KeyPool;
  readonly #registry;
  readonly #offers: Offers;
  readonly #transport;
  readonly #learned = createLearnedRefusals();
  readonly #seal: ApprovalSeal;
  /** Ends whatever is under way. */
  readonly #closed = new AbortController();
  #callCount = 0;

  constructor(settings: ResponsesProviderSettings, conventions: ProviderConventions) {
    this.#settings = settings;
    this.#conventions = conventions;
    this.name = settings.name ?? conventions.name;
    // A base URL that is none is refused here.
    const { url } = this.endpoint('');
    checkGivenKey(settings, this.#for(''));
    this.#keys = createKeyPool(settings.apiKey ?? environmentKey(settings, this.#environment, url), {
      maxWaitMs: settings.retry?.maxKeyWaitMs,
    });
    this.#seal = new ApprovalSeal(settings.approvalSecret);
    this.#registry = this.#createRegistry();
    this.#offers = new Offers(this.#registry, {
      nameClash: settings.nameClash ?? conventions.nameClash,
      strictSchemas: settings.strictSchemas ?? false,
    });
    this.#transport = this.#createTransport();
  }

  #createRegistry() {
    const { mcpServers, tools, timeouts, fetch, onEvent, jsonSchemaValidator, onElicitation } = this.#settings;
    return lazyRegistry({
      jsonSchemaValidator,
      onElicitation,
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

  #for(modelId: string): ModelSettings {
    return new ModelSettings(
      { settings: this.#settings, conventions: this.#conventions, environment: this.#environment },
      modelId,
    );
  }

  endpoint(modelId: string): Endpoint {
    return this.#for(modelId).endpoint;
  }

  offer(): Promise<ToolOffer> {
    return this.#offers.toAnybody();
  }

  mcpClient(key: string): Promise<McpLiveClient> {
    return this.#registry.client(key);
  }

  close(): Promise<void> {
    this.#closed.abort(providerClosed());
    return this.#registry.close();
  }

  async start(modelId: string, options: AnyCallOptions, how: StartOptions): Promise<EngineCall> {
    if (this.#closed.signal.aborted) throw abortError(this.#closed.signal);
    this.#callCount += 1;
    const callNumber = this.#callCount;
    const { call, warnings } = fromCallOptions(modelId, options, how.stream);
    const { controller, release: stopFollowing } = followAbort(call.signal);
    const deadline = createDeadline(this.#settings.timeouts?.totalMs);
    const ends = followAbort(controller.signal, deadline.signal, this.#closed.signal);
    const release = (): void => {
      stopFollowing();
      deadline.release();
      ends.release();
    };
    try {
      const { signal } = ends.controller;
      const model = this.#for(modelId);
      const first = await raceAbort(this.#pickKey({ modelId, wanted: sealedFor(call), signal }), signal);
      checkKey({ settings: this.#settings, model, headers: call.headers, key: first });
      const offer = await raceAbort(this.#offers.toModel(call, signal), signal);
      const history = readApprovals(call.messages);
      const resumeOffer = await raceAbort(this.#offers.toUser(call, history, signal), signal);
      const wire = this.#wireRounds(call, model, { first, callNumber });
      const { approve, redactToolOutput, onUnknownTool, onEvent } = this.#settings;
      const started = await startCall({
        call: withInstructions(withoutShadowed(call, offer), offer.instructions),
        offer,
        openRound: wire.openRound,
        limits: model.limits,
        preamble: this.#settings.preamble ?? 'text',
        shows: this.#shows(call, how),
        carrier: this.#settings.carrier !== 'none',
        asks: how.asks,
        ...defined({ tells: how.tells }),
        seal: this.#seal,
        history,
        resumeOffer,
        callNumber,
        signal: controller.signal,
        ends: signal,
        now: Date.now,
        approve,
        redactToolOutput,
        onUnknownTool,
        ...defined({ observer: onEvent }),
      });
      return {
        pump: createPump(releasing(started.batches, release), controller.signal),
        warnings: this.#announce([...warnings, ...offer.warnings, ...wire.warnings, ...unknownChoice(call, offer)]),
        requestBody: started.requestBody,
        responseHeaders: started.responseHeaders,
        metadata: wire.metadata,
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

  #shows(call: Call, how: StartOptions): (name: string) => boolean {
    const mode = this.#settings.toolParts ?? how.shows;
    const declared = new Set(call.declaredLoopTools);
    return (name) => mode === 'all' || (mode === 'declared' && declared.has(name));
  }

  /** What an `apiKey` function throws may hold a token that it gave before. */
  async #pickKey(options: PickOptions): Promise<PickedKey> {
    try {
      return await this.#keys.pick(options);
    } catch (error) {
      throw error instanceof Error ? redactError(error, this.#keys.secrets()) : error;
    }
  }

  #wireRounds(
    call: Call,
    model: ModelSettings,
    { first, callNumber }: { readonly first: PickedKey; readonly callNumber: number },
  ) {
    const { endpoint } = model;
    const { onEvent, retry } = this.#settings;
    const deployed = endpoint.deployment === undefined ? call : { ...call, modelId: endpoint.deployment };
    const keys = new CallKeys({ pool: this.#keys, first, callNumber, observer: onEvent });
    const originOfKey = (key: PickedKey): string => originOf(endpoint, call.modelId, key);
    const bodies = new RoundBodies({
      call: deployed,
      profile: endpoint.profile,
      overrides: model.body,
      defaults: this.#conventions.defaults,
      firstKey: first,
      originOf: originOfKey,
    });
    const place = (round: number) => ({ modelId: deployed.modelId, round });
    return {
      warnings: bodies.warnings,
      metadata: {
        get origin() {
          return originOfKey(keys.current);
        },
        stored: call.options['store'] === true,
      },
      openRound: createWireRounds({
        bodies,
        keys,
        transport: this.#transport,
        draft: (body, round) => draftRequest(endpoint.url, body, place(round), this.#drafting(call, model, keys)),
        place: `${endpoint.url} ${deployed.modelId}`,
        learned: this.#learned,
        secrets: () => this.#keys.secrets(),
        includeRaw: call.includeRaw,
        retry: {
          maxRetries: retry?.maxRetries ?? 2,
          initialDelayMs: retry?.initialDelayMs ?? 1_000,
          maxDelayMs: retry?.maxDelayMs ?? 60_000,
        },
        hint: (error) => hintFor(error, { settings: this.#settings, environment: this.#environment, endpoint }),
        callNumber,
        observer: onEvent,
        now: Date.now,
        random: Math.random,
      }),
    };
  }

  #drafting(call: Call, model: ModelSettings, keys: CallKeys): DraftOptions {
    return {
      auth: this.#settings.auth ?? model.endpoint.profile.auth,
      apiKey: keys.current.key,
      headers: [...model.headers, call.headers],
      secrets: () => this.#keys.secrets(),
      transformRequest: this.#settings.transformRequest,
    };
  }
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

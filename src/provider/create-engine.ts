import { providerClosed } from '../errors/provider-closed.js';
import type { Call } from '../core/call.js';
import { ApprovalSeal } from '../loop/approval-seal.js';
import { createPump } from '../loop/pump.js';
import { readApprovals } from '../loop/read-approvals.js';
import { startCall } from '../loop/run-call.js';
import { notify } from '../observe/notify.js';
import type { Endpoint } from '../request/endpoint.js';
import { createKeyPool, type KeyPool } from '../request/key-pool.js';
import type { ToolOffer } from '../tools/loop-tool.js';
import type { McpLiveClient } from '../tools/mcp/client-like.js';
import { abortError, followAbort, raceAbort } from '../util/abort.js';
import { defined } from '../util/defined.js';
import { checkSettings } from './check-settings.js';
import { checkGivenKey, environmentKey } from './environment-key.js';
import { readEnvironment } from './environment.js';
import { createDeadline } from './deadline.js';
import type { ProviderConventions } from './conventions.js';
import type { Answering, AnsweringPlace, Engine, EngineCall, StartOptions } from './engine.js';
import { type AnyCallOptions, fromCallOptions } from './from-call-options.js';
import { lazyRegistry } from './lazy-registry.js';
import type { MetadataContext } from './metadata.js';
import { ModelSettings } from './model-settings.js';
import { Offers, unknownChoice, withoutShadowed } from './offers.js';
import { resolveSchema } from './resolve-schema.js';
import { retrySettings } from './retry-settings.js';
import type { ResponsesProviderSettings } from './settings.js';
import { WireAnswering } from './wire-answering.js';
import { withInstructions } from './with-instructions.js';

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
  readonly #wire: WireAnswering;
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
    this.#wire = new WireAnswering({
      settings,
      environment: this.#environment,
      keys: this.#keys,
      closed: this.#closed.signal,
    });
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
    this.#announceChoice({ callNumber, modelId }, how);
    const { call, warnings } = fromCallOptions(modelId, options, how);
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
      const answering = await this.#answering(call, { model, callNumber, signal }, how);
      const offer = await raceAbort(this.#offers.toModel(call, signal), signal);
      const history = readApprovals(call.messages);
      const resumeOffer = await raceAbort(this.#offers.toUser(call, history, signal), signal);
      const started = await startCall({
        call: withInstructions(withoutShadowed(call, offer), offer.instructions),
        offer,
        openRound: answering.openRound,
        limits: model.limits,
        ...this.#loopSettings(),
        shows: this.#shows(call, how),
        asks: how.asks,
        ...defined({ tells: how.tells }),
        history,
        resumeOffer,
        callNumber,
        signal: controller.signal,
        ends: signal,
      });
      return {
        pump: createPump(releasing(started.batches, release), controller.signal),
        warnings: this.#announce([
          ...(how.warnings ?? []),
          ...warnings,
          ...offer.warnings,
          ...answering.warnings,
          ...unknownChoice(call, offer),
        ]),
        requestBody: started.requestBody,
        responseHeaders: started.responseHeaders,
        metadata: withChoice(answering.metadata, how.fallback),
        // The pump then lets the call clean up, although nobody reads any more.
        cancel: (reason) => controller.abort(reason),
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  #answering(
    call: Call,
    where: Pick<AnsweringPlace, 'model' | 'callNumber' | 'signal'>,
    { answering }: StartOptions,
  ): Answering | Promise<Answering> {
    const { onEvent: observer } = this.#settings;
    const place = { ...where, defaults: this.#conventions.defaults, retry: retrySettings(this.#settings), observer };
    return answering === undefined ? this.#wire.answer(call, place) : answering(call, place);
  }

  #loopSettings() {
    const { preamble, carrier, approve, redactToolOutput, onUnknownTool, onEvent } = this.#settings;
    return {
      preamble: preamble ?? 'text',
      carrier: carrier !== 'none',
      seal: this.#seal,
      now: Date.now,
      approve,
      redactToolOutput,
      onUnknownTool,
      ...defined({ observer: onEvent }),
    };
  }

  #announceChoice(place: { readonly callNumber: number; readonly modelId: string }, { fallback }: StartOptions): void {
    if (fallback !== undefined) notify(this.#settings.onEvent, () => ({ type: 'fallback', ...place, ...fallback }));
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

/** The origin of reasoning may change with the key, in mid-call. */
function withChoice(metadata: Answering['metadata'], choice: StartOptions['fallback']): MetadataContext {
  if (choice === undefined) return metadata;
  const { uses, because } = choice;
  return {
    stored: metadata.stored,
    fallback: { uses, because },
    get origin() {
      return metadata.origin;
    },
  };
}

import type { JsonObject } from '../core/json.js';
import { ApiError } from '../errors/api-error.js';
import type { ErrorCode } from '../errors/error-code.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import type { ProviderChoice } from '../core/round.js';
import { vendorOf } from '../request/vendors.js';
import { errorText } from '../util/error-text.js';
import { steadyNow } from '../util/timers.js';
import type { CallPlugin } from '../loop/call-plugin.js';
import type { Chosen, Engine, StartOptions } from '../provider/engine.js';
import type { OpenRoundSource } from '../rounds/round-source.js';
import type { EngineCall } from '../sdk/parts/stream-result.js';
import type { VersionName } from '../sdk/parts/versions.js';
import type { AnyCallOptions } from '../sdk/prompt/from-call-options.js';
import { type OptionKeys, readProviderOptions } from '../sdk/prompt/read-provider-options.js';
import { type Attempt, Circuit } from './circuit.js';
import type { FallOverRules } from './fall-over.js';
import { readFlag, type UseStock } from './flag.js';
import type { StockModel } from './model.js';

export interface FallbackOptions {
  readonly primary: Engine;
  readonly useStock: UseStock | undefined;
  /** Absent: the primary's failures stay its own. */
  readonly fallOver: FallOverRules | undefined;
  /** By model: one that does not exist says nothing of the others. */
  readonly circuits: Map<string, Circuit>;
  readonly modelOf: () => StockModel;
  readonly version: VersionName;
}

type Choice = ProviderChoice & { readonly error?: string };

export interface WantedFallbackCall {
  readonly modelId: string;
  readonly given: AnyCallOptions;
  readonly how: StartOptions;
}

/** A call that is answered by the primary's own server or by the stock provider. */
export class FallbackCall {
  readonly #options: FallbackOptions;
  readonly #wanted: WantedFallbackCall;
  readonly #warnings: string[] = [];
  #plugin: CallPlugin | undefined;
  /** Set where the stock provider answers if the primary fails. */
  #attempt: Attempt | undefined;

  constructor(options: FallbackOptions, wanted: WantedFallbackCall) {
    this.#options = options;
    this.#wanted = wanted;
  }

  /**
   * The journal knows who answered in an earlier attempt. One step holds the failure of the primary and what the stock
   * provider said instead.
   */
  async start(): Promise<EngineCall> {
    this.#plugin = await this.#options.primary.plugin(this.#wanted.modelId);
    try {
      return await this.#startOrFallOver();
    } catch (error) {
      throw this.#plugin === undefined ? error : await this.#plugin.failed(error);
    }
  }

  async #startOrFallOver(): Promise<EngineCall> {
    try {
      const call = await this.#start((recorded) => recorded ?? this.#choose());
      // One that goes on with what the user has allowed has sent no request yet.
      if (call.requestBody !== undefined) this.#attempt?.succeeded();
      return call;
    } catch (error) {
      if (!(error instanceof Error) || this.#attempt === undefined || !this.#mayFallOver(error)) throw error;
      const call = await this.#instead(error);
      // It counts against the primary only if the stock provider then succeeds: else it is not the primary's.
      this.#attempt.failed();
      return call;
    } finally {
      this.#attempt?.left();
    }
  }

  async #choose(): Promise<Choice> {
    const { modelId, given } = this.#wanted;
    const { useStock, fallOver, circuits } = this.#options;
    const choice = await readFlag({
      useStock,
      modelId,
      signal: given.abortSignal,
      onWarning: (message) => this.#warnings.push(`${message} The primary provider answers.`),
    });
    if (choice.uses === 'stock' || fallOver === undefined) return choice;
    const circuit = circuits.get(modelId) ?? new Circuit({ ...fallOver, now: steadyNow });
    circuits.set(modelId, circuit);
    this.#attempt = circuit.enter();
    if (this.#attempt !== undefined) return choice;
    this.#warnings.push('The primary provider has failed too often just now, and the stock provider answers.');
    return { uses: 'stock', because: 'circuit' };
  }

  async #instead(error: Error): Promise<EngineCall> {
    try {
      const reason = errorText(error);
      this.#warnings.push(`The primary provider failed, and the stock provider answers: ${reason}`);
      return await this.#start(() => ({ uses: 'stock', because: 'failure', error: reason }));
    } catch (second) {
      if (this.#wanted.given.abortSignal?.aborted === true) throw second;
      // The primary's failure comes first: it is the one to look into.
      throw saying(error, `The stock provider was asked instead and failed too: ${errorText(second)}`);
    }
  }

  #mayFallOver(error: Error): boolean {
    const { given, modelId } = this.#wanted;
    const { primary, fallOver } = this.#options;
    if (given.abortSignal?.aborted === true || this.#plugin?.rejected !== undefined || isCallsOwn(error)) return false;
    const keys = { vendor: vendorOf(primary.endpoint(modelId).profile).keys, name: primary.name };
    return fallOver !== undefined && mayAskAgain(error, given, keys) && asksInstead(error, fallOver);
  }

  async #start(choose: (earlier?: ProviderChoice) => Choice | Promise<Choice>): Promise<EngineCall> {
    const { modelId, given, how } = this.#wanted;
    const chosen = async (earlier?: ProviderChoice): Promise<Chosen> => this.#chosen(await choose(earlier));
    return this.#options.primary.start(modelId, given, { ...how, plugin: this.#plugin, choose: chosen });
  }

  #chosen(choice: Choice): Chosen {
    const { modelId } = this.#wanted;
    const announcement: Chosen['announcement'] = (callNumber) => ({ type: 'fallback', callNumber, modelId, ...choice });
    const who = { choice, announcement, warnings: this.#warnings };
    return choice.uses === 'stock' ? { ...who, openSource: this.#openSource() } : who;
  }

  /** Loaded when it is first needed: with the flag down it costs nothing. */
  #openSource(): OpenRoundSource {
    const { modelOf, version } = this.#options;
    const { given } = this.#wanted;
    return async (call, context) => {
      const { answerByStock } = await import('./stock-source.js');
      return answerByStock(call, context, { model: modelOf(), version, given });
    };
  }
}

/** Failures that the stock provider could not avoid either. */
const CALLS_OWN: ReadonlySet<ErrorCode> = new Set(['closed', 'invalid-options', 'invalid-prompt', 'invalid-settings']);

function isCallsOwn(error: Error): boolean {
  return ResponsesLoopError.isInstance(error) && CALLS_OWN.has(error.code);
}

/** Where a server keeps state, a request it may have acted on is not made a second time by the other provider. */
function mayAskAgain(error: Error, { providerOptions }: AnyCallOptions, keys: OptionKeys): boolean {
  return !keepsState(readProviderOptions(providerOptions, keys)) || (ApiError.isInstance(error) && error.isReplaySafe);
}

/** Whether a call with these options leaves something behind that a later request could meet. */
function keepsState({ store, background, conversation, previousResponseId }: JsonObject): boolean {
  return store === true || background === true || conversation != null || previousResponseId != null;
}

/** Whether the rule of the settings says to fall over; a failure of the rule itself is added to the error it was about. */
function asksInstead(error: Error, { when }: Pick<FallOverRules, 'when'>): boolean {
  let says: unknown;
  try {
    says = when(error);
  } catch (thrown) {
    throw saying(error, `The rule fallOver.when failed: ${errorText(thrown)}`);
  }
  if (typeof says === 'boolean') return says;
  throw saying(error, `The rule fallOver.when gave ${String(says)} instead of true or false.`);
}

function saying(error: Error, more: string): Error {
  const message = `${error.message} ${more}`;
  if (ApiError.isInstance(error)) return new ApiError({ ...error.facts, message });
  const code = ResponsesLoopError.isInstance(error) ? error.code : 'api-error';
  return new ResponsesLoopError({ code, message, cause: error });
}

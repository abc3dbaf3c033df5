import { Redactor } from '../observe/redactor.js';
import { clean, type CleanText } from '../core/clean-text.js';
import { cleanCause } from '../observe/redact-error.js';
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
  /** Unset: failures of the primary are the call's failures. */
  readonly fallOver: FallOverRules | undefined;
  /** By model, because failures of one model show nothing about another. */
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
  /** Set if the stock provider answers after a failure of the primary. */
  #attempt: Attempt | undefined;

  constructor(options: FallbackOptions, wanted: WantedFallbackCall) {
    this.#options = options;
    this.#wanted = wanted;
  }

  /**
   * The journal knows which provider answered in an earlier attempt. One step records the failure of the primary and the answer
   * of the stock provider.
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
      // A call that first runs approved tools has sent no request yet.
      if (call.requestBody !== undefined) this.#attempt?.succeeded();
      return call;
    } catch (error) {
      if (!(error instanceof Error) || this.#attempt === undefined || !this.#mayFallOver(error)) throw error;
      const call = await this.#instead(error);
      // Counts only if the stock provider succeeds. Otherwise the call itself is the cause.
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
    this.#warnings.push('The primary provider failed repeatedly; using the stock provider for now.');
    return { uses: 'stock', because: 'circuit' };
  }

  async #instead(error: Error): Promise<EngineCall> {
    try {
      const reason = errorText(error);
      this.#warnings.push(`The primary provider failed; using the stock provider: ${reason}`);
      return await this.#start(() => ({ uses: 'stock', because: 'failure', error: reason }));
    } catch (second) {
      if (this.#wanted.given.abortSignal?.aborted === true) throw second;
      // The primary's failure is first, because it needs the attention.
      throw this.#saying(error, clean`The stock provider failed as well: ${this.#clean(errorText(second))}`);
    }
  }

  #mayFallOver(error: Error): boolean {
    const { given, modelId } = this.#wanted;
    const { primary, fallOver } = this.#options;
    if (given.abortSignal?.aborted === true || this.#plugin?.rejected !== undefined || isCallsOwn(error)) return false;
    const keys = { vendor: vendorOf(primary.endpoint(modelId).profile).keys, name: primary.name };
    return fallOver !== undefined && mayAskAgain(error, given, keys) && this.#asksInstead(error, fallOver);
  }

  /** Asks `fallOver.when`. A failure of that function is added to its error. */
  #asksInstead(error: Error, { when }: Pick<FallOverRules, 'when'>): boolean {
    let says: unknown;
    try {
      says = when(error);
    } catch (thrown) {
      throw this.#saying(error, clean`The function fallOver.when failed: ${this.#clean(errorText(thrown))}`);
    }
    if (typeof says === 'boolean') return says;
    throw this.#saying(
      error,
      clean`The function fallOver.when returned ${this.#clean(String(says))} instead of true or false.`,
    );
  }

  #saying(error: Error, more: CleanText): ResponsesLoopError {
    if (ApiError.isInstance(error))
      return new ApiError({ ...error.facts, message: clean`${error.facts.message} ${more}` });
    const code = ResponsesLoopError.isInstance(error) ? error.code : 'api-error';
    const message = clean`${this.#clean(error.message)} ${more}`;
    return new ResponsesLoopError({ code, message, cause: cleanCause(error, this.#redactor) });
  }

  get #redactor(): Redactor {
    return this.#options.primary.redactor ?? Redactor.NONE;
  }

  #clean(text: string): CleanText {
    return this.#redactor.text(text);
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

  /** Loads the code when it is first needed, so that an unused fallback costs nothing. */
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

/** If a server keeps state, the other provider does not repeat a request on which the server may have acted. */
function mayAskAgain(error: Error, { providerOptions }: AnyCallOptions, keys: OptionKeys): boolean {
  return !keepsState(readProviderOptions(providerOptions, keys)) || (ApiError.isInstance(error) && error.isReplaySafe);
}

/** Whether the server keeps something of a call with these options. */
function keepsState({ store, background, conversation, previousResponseId }: JsonObject): boolean {
  return store === true || background === true || conversation != null || previousResponseId != null;
}

import type { FallbackChoice } from '../observe/event.js';
import { vendorOf } from '../request/vendors.js';
import { errorText } from '../util/error-text.js';
import type { Engine, StartOptions } from '../provider/engine.js';
import type { OpenRoundSource } from '../rounds/round-source.js';
import type { EngineCall } from '../sdk/parts/engine-call.js';
import type { VersionName } from '../sdk/parts/versions.js';
import type { AnyCallOptions } from '../sdk/prompt/from-call-options.js';
import { asksInstead, bothFailed, isCallsOwn, mayAskAgain } from './after-failure.js';
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

type Choice = FallbackChoice & { readonly error?: string };

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

  constructor(options: FallbackOptions, wanted: WantedFallbackCall) {
    this.#options = options;
    this.#wanted = wanted;
  }

  async start(): Promise<EngineCall> {
    const { modelId, given } = this.#wanted;
    const choice = await readFlag({
      useStock: this.#options.useStock,
      modelId,
      signal: given.abortSignal,
      onWarning: (message) => this.#warnings.push(`${message} The primary provider answers.`),
    });
    const { fallOver } = this.#options;
    if (choice.uses === 'stock') return this.#byStock(choice);
    if (fallOver === undefined) return this.#byPrimary(choice);
    const attempt = this.#circuit(fallOver).enter();
    if (attempt !== undefined) return this.#withFallOver(choice, attempt);
    this.#warnings.push('The primary provider has failed too often just now, and the stock provider answers.');
    return this.#byStock({ uses: 'stock', because: 'circuit' });
  }

  #circuit(rules: FallOverRules): Circuit {
    const { circuits } = this.#options;
    const { modelId } = this.#wanted;
    const known = circuits.get(modelId) ?? new Circuit({ ...rules, now: Date.now });
    circuits.set(modelId, known);
    return known;
  }

  async #withFallOver(choice: Choice, attempt: Attempt): Promise<EngineCall> {
    try {
      const call = await this.#byPrimary(choice);
      // One that goes on with what the user has allowed has sent no request yet.
      if (call.requestBody === undefined) attempt.left();
      else attempt.succeeded();
      return call;
    } catch (error) {
      return this.#afterFailure(error, attempt);
    }
  }

  /** A failure counts against the primary only if the stock provider then succeeds: else it is not the primary's. */
  async #afterFailure(error: unknown, attempt: Attempt): Promise<EngineCall> {
    try {
      if (!(error instanceof Error) || !this.#mayFallOver(error)) throw error;
      const call = await this.#instead(error);
      attempt.failed();
      return call;
    } finally {
      attempt.left();
    }
  }

  async #instead(error: Error): Promise<EngineCall> {
    try {
      const reason = errorText(error);
      this.#warnings.push(`The primary provider failed, and the stock provider answers: ${reason}`);
      return await this.#byStock({ uses: 'stock', because: 'failure', error: reason });
    } catch (second) {
      throw this.#wanted.given.abortSignal?.aborted === true ? second : bothFailed(error, second);
    }
  }

  #mayFallOver(error: Error): boolean {
    const { given, modelId } = this.#wanted;
    const { primary } = this.#options;
    const keys = { vendor: vendorOf(primary.endpoint(modelId).profile).keys, name: primary.name };
    if (given.abortSignal?.aborted === true || isCallsOwn(error) || !mayAskAgain(error, given, keys)) return false;
    const { fallOver } = this.#options;
    return fallOver !== undefined && asksInstead(error, fallOver);
  }

  #byPrimary(choice: Choice): Promise<EngineCall> {
    return this.#start({ fallback: choice });
  }

  #byStock(choice: Choice): Promise<EngineCall> {
    return this.#start({ fallback: choice, openSource: this.#openSource() });
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

  #start(who: Pick<StartOptions, 'fallback' | 'openSource'>): Promise<EngineCall> {
    const { modelId, given, how } = this.#wanted;
    return this.#options.primary.start(modelId, given, { ...how, ...who, warnings: this.#warnings });
  }
}

import type { FallbackChoice } from '../../observe/event.js';
import { errorText } from '../../util/error-text.js';
import type { Engine, EngineCall, OpenAnswering, StartOptions } from '../engine.js';
import type { AnyCallOptions } from '../from-call-options.js';
import type { Circuit } from './circuit.js';
import { bothFailed, isCallsOwn, mayAskAgain } from './fall-over.js';
import { readFlag, type UseStock } from './flag.js';

export interface FallbackOptions {
  readonly primary: Engine;
  readonly useStock: UseStock | undefined;
  /** Absent: the primary's failures stay its own. */
  readonly fallOver?: { readonly circuit: Circuit; readonly when: (error: Error) => boolean };
  readonly answer: (given: AnyCallOptions) => OpenAnswering;
}

type Choice = FallbackChoice & { readonly error?: string };

/** An engine whose calls are answered by its own server or by the stock provider, decided for each call. */
export function createFallbackEngine(options: FallbackOptions): Engine {
  const { primary } = options;
  return {
    name: primary.name,
    start: (modelId, given, how) => new FallbackCall(options, { modelId, given, how }).start(),
    endpoint: (modelId) => primary.endpoint(modelId),
    offer: () => primary.offer(),
    mcpClient: (key) => primary.mcpClient(key),
    close: () => primary.close(),
  };
}

interface Wanted {
  readonly modelId: string;
  readonly given: AnyCallOptions;
  readonly how: StartOptions;
}

class FallbackCall {
  readonly #options: FallbackOptions;
  readonly #wanted: Wanted;
  readonly #warnings: string[] = [];

  constructor(options: FallbackOptions, wanted: Wanted) {
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
    const circuit = this.#options.fallOver?.circuit;
    if (choice.uses === 'stock') return this.#byStock(choice);
    if (circuit === undefined) return this.#byPrimary(choice);
    return circuit.enter() ? this.#withFallOver(choice, circuit) : this.#byStock({ uses: 'stock', because: 'circuit' });
  }

  /** The primary counts as failing only where the stock provider does better: else nobody could have answered. */
  async #withFallOver(choice: Choice, circuit: Circuit): Promise<EngineCall> {
    try {
      const call = await this.#byPrimary(choice);
      circuit.succeeded();
      return call;
    } catch (error) {
      circuit.left();
      if (!(error instanceof Error) || !this.#mayFallOver(error)) throw error;
      const call = await this.#instead(error);
      circuit.failed();
      return call;
    }
  }

  async #instead(error: Error): Promise<EngineCall> {
    try {
      return await this.#byStock({ uses: 'stock', because: 'failure', error: errorText(error) });
    } catch (second) {
      throw this.#wanted.given.abortSignal?.aborted === true ? second : bothFailed(error, second);
    }
  }

  #mayFallOver(error: Error): boolean {
    const { given } = this.#wanted;
    if (given.abortSignal?.aborted === true || isCallsOwn(error) || !mayAskAgain(error, given)) return false;
    return this.#options.fallOver?.when(error) === true;
  }

  #byPrimary(choice: Choice): Promise<EngineCall> {
    const { modelId, given, how } = this.#wanted;
    return this.#options.primary.start(modelId, given, { ...how, fallback: choice, warnings: this.#warnings });
  }

  #byStock(choice: Choice): Promise<EngineCall> {
    const { modelId, given, how } = this.#wanted;
    return this.#options.primary.start(modelId, given, {
      ...how,
      fallback: choice,
      warnings: this.#warnings,
      answering: this.#options.answer(given),
    });
  }
}

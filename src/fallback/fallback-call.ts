import type { FallbackChoice } from '../observe/event.js';
import { vendorOf } from '../request/vendors.js';
import { errorText } from '../util/error-text.js';
import type { CallJournal } from '../journal/call-journal.js';
import type { Choose, Chosen, Engine, StartOptions } from '../provider/engine.js';
import type { OpenRoundSource } from '../rounds/round-source.js';
import type { EngineCall } from '../sdk/parts/stream-result.js';
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
  #journal: CallJournal | undefined;

  constructor(options: FallbackOptions, wanted: WantedFallbackCall) {
    this.#options = options;
    this.#wanted = wanted;
  }

  async start(): Promise<EngineCall> {
    const journal = this.#options.primary.journal(this.#wanted.modelId);
    if (journal !== undefined) return this.#startJournaled(await journal);
    const { choice, attempt } = await this.#choose();
    const opening = this.#start(this.#chosen(choice));
    return attempt === undefined ? opening : this.#withFallOver(opening, () => attempt);
  }

  /**
   * The journal knows who answered in an earlier attempt. One step holds the failure of the primary and what the stock
   * provider said instead.
   */
  async #startJournaled(journal: CallJournal | undefined): Promise<EngineCall> {
    this.#journal = journal;
    let attempt: Attempt | undefined;
    const opening = this.#start({}, async (recorded) => {
      if (recorded !== undefined) return this.#chosen(recorded);
      const chosen = await this.#choose();
      attempt = chosen.attempt;
      return this.#chosen(chosen.choice);
    });
    try {
      return await this.#withFallOver(opening, () => (journal?.rejected === undefined ? attempt : undefined));
    } catch (error) {
      await journal?.failed(error);
      throw error;
    }
  }

  /** With an `attempt` the stock provider answers if the primary fails. */
  async #choose(): Promise<{ readonly choice: Choice; readonly attempt?: Attempt }> {
    const { modelId, given } = this.#wanted;
    const choice = await readFlag({
      useStock: this.#options.useStock,
      modelId,
      signal: given.abortSignal,
      onWarning: (message) => this.#warnings.push(`${message} The primary provider answers.`),
    });
    const { fallOver } = this.#options;
    if (choice.uses === 'stock' || fallOver === undefined) return { choice };
    const attempt = this.#circuit(fallOver).enter();
    if (attempt !== undefined) return { choice, attempt };
    this.#warnings.push('The primary provider has failed too often just now, and the stock provider answers.');
    return { choice: { uses: 'stock', because: 'circuit' } };
  }

  #circuit(rules: FallOverRules): Circuit {
    const { circuits } = this.#options;
    const { modelId } = this.#wanted;
    const known = circuits.get(modelId) ?? new Circuit({ ...rules, now: Date.now });
    circuits.set(modelId, known);
    return known;
  }

  async #withFallOver(opening: Promise<EngineCall>, attempt: () => Attempt | undefined): Promise<EngineCall> {
    try {
      const call = await opening;
      // One that goes on with what the user has allowed has sent no request yet.
      if (call.requestBody === undefined) attempt()?.left();
      else attempt()?.succeeded();
      return call;
    } catch (error) {
      const failed = attempt();
      if (failed === undefined) throw error;
      return this.#afterFailure(error, failed);
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

  #byStock(choice: Choice): Promise<EngineCall> {
    return this.#start(this.#chosen(choice));
  }

  #chosen(choice: Choice): Chosen {
    const who = { fallback: choice, warnings: this.#warnings };
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

  #start(chosen: Chosen, choose: Choose = () => chosen): Promise<EngineCall> {
    const { modelId, given, how } = this.#wanted;
    const { primary } = this.#options;
    const journal = this.#journal;
    if (journal === undefined) return primary.start(modelId, given, { ...how, ...chosen });
    return primary.start(modelId, given, { ...how, journal, choose });
  }
}

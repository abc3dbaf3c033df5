import type { Call } from '../core/call.js';
import { type CallWarning, warningText } from '../core/warning.js';
import { ApprovalSeal } from '../loop/approval-seal.js';
import { createPump } from '../loop/pump.js';
import type { LoopOptions } from '../loop/loop-options.js';
import { readApprovals } from '../loop/read-approvals.js';
import { startCall } from '../loop/run-call.js';
import { notify } from '../observe/notify.js';
import { type ApiKeySetting, createKeyPool } from '../request/key-pool.js';
import { knownFunctionOptions } from '../request/vendors.js';
import type { OfferOptions } from '../tools/loop-tool.js';
import { raceAbort } from '../util/abort.js';
import type { CallEnds } from './call-ends.js';
import { isSealedCompaction } from './compaction.js';
import type { Answering, AnsweringPlace, EngineCall, StartOptions } from './engine.js';
import { type AnyCallOptions, fromCallOptions } from './from-call-options.js';
import type { MetadataContext } from './metadata.js';
import type { ModelSettings } from './model-settings.js';
import { type Offers, warnOfChoice, withoutShadowed } from './offers.js';
import { retrySettings } from './retry-settings.js';
import type { ResponsesProviderSettings } from './settings.js';
import { WireAnswering, type WireAnsweringOptions } from './wire-answering.js';
import { withInstructions } from './with-instructions.js';

export interface CallsOptions extends Omit<WireAnsweringOptions, 'keys'> {
  readonly apiKey: ApiKeySetting | undefined;
  readonly defaults: AnsweringPlace['defaults'];
  readonly offers: Offers;
  /** The name the provider goes by. */
  readonly name: string;
}

export interface WantedCall {
  readonly modelId: string;
  readonly model: ModelSettings;
  readonly options: AnyCallOptions;
  readonly how: StartOptions;
  readonly callNumber: number;
  /** Released by whoever wants the call where it does not start, else at its end. */
  readonly ends: CallEnds;
}

/** What answers the calls of a provider: one for each. Loaded with the first call; what can be wrong before is not in here. */
export class Calls {
  readonly #options: CallsOptions;
  readonly #wire: WireAnswering;
  readonly #seal: ApprovalSeal;

  constructor(options: CallsOptions) {
    this.#options = options;
    const { settings, apiKey } = options;
    const keys = createKeyPool(apiKey, { maxWaitMs: settings.retry?.maxKeyWaitMs });
    this.#wire = new WireAnswering({ ...options, keys });
    this.#seal = new ApprovalSeal(settings.approvalSecret);
  }

  async start({ modelId, model, options, how, callNumber, ends }: WantedCall): Promise<EngineCall> {
    const { offers, name } = this.#options;
    const { unwanted, any: signal } = ends;
    const { call, warnings } = fromCallOptions(modelId, options, { name, profile: model.endpoint.profile, ...how });
    const answering = await this.#answering(call, { model, callNumber, signal }, how);
    const offered = offers.toModel(call, signal, knownOptions(modelId, model, how));
    const offer = 'then' in offered ? await raceAbort(offered, signal) : offered;
    const choiceWarnings = warnOfChoice(call, offer);
    const history = readApprovals(call.messages);
    const forUser = offers.toUser(call, history, signal);
    const resumeOffer = forUser === undefined ? undefined : await raceAbort(forUser, signal);
    const started = await startCall({
      call: withInstructions(withoutShadowed(call, offer), offer.instructions),
      offer,
      openRound: answering.openRound,
      limits: model.limits,
      shows: this.#shows(call, how),
      asks: how.asks,
      tells: how.tellsCompaction === true ? isSealedCompaction : undefined,
      history,
      resumeOffer,
      callNumber,
      signal: unwanted,
      ends: signal,
      ...loopSettings(this.#options.settings, this.#seal),
    });
    return {
      pump: createPump((emit) => started.run(emit).finally(() => ends.release()), unwanted),
      warnings: this.#announce([
        ...(how.warnings ?? []),
        ...warnings,
        ...offer.warnings,
        ...(offer.leftOut ?? []),
        ...answering.warnings,
        ...choiceWarnings,
      ]),
      requestBody: started.requestBody,
      responseHeaders: started.responseHeaders,
      metadata: withChoice(answering.metadata, how.fallback),
      // The pump then lets the call clean up, although nobody reads any more.
      cancel: (reason) => unwanted.cancel(reason),
    };
  }

  #answering(
    call: Call,
    where: Pick<AnsweringPlace, 'model' | 'callNumber' | 'signal'>,
    { answering }: StartOptions,
  ): Answering | Promise<Answering> {
    const { settings, defaults } = this.#options;
    const place = { defaults, retry: retrySettings(settings), observer: settings.onEvent, ...where };
    return answering === undefined ? this.#wire.answer(call, place) : answering(call, place);
  }

  /** Warnings reach the caller with the call; whoever only watches hears them too. */
  #announce(warnings: readonly CallWarning[]): readonly CallWarning[] {
    const { onEvent } = this.#options.settings;
    for (const warning of warnings) notify(onEvent, () => ({ type: 'warning', message: warningText(warning) }));
    return warnings;
  }

  #shows(call: Call, how: StartOptions): (name: string) => boolean {
    const mode = this.#options.settings.toolParts ?? how.shows;
    const declared = new Set(call.declaredLoopTools);
    return (name) => mode === 'all' || (mode === 'declared' && declared.has(name));
  }
}

/** The stock provider is given the tools of the loop as plain functions. */
function knownOptions(
  modelId: string,
  { endpoint }: ModelSettings,
  { answering }: StartOptions,
): OfferOptions['knownOptions'] {
  return answering === undefined ? knownFunctionOptions(modelId, endpoint.profile) : new Set();
}

type LoopSettings = Pick<
  LoopOptions,
  'preamble' | 'carrier' | 'seal' | 'now' | 'approve' | 'redactToolOutput' | 'onUnknownTool' | 'observer'
>;

function loopSettings(settings: ResponsesProviderSettings, seal: ApprovalSeal): LoopSettings {
  const { preamble, carrier, approve, redactToolOutput, onUnknownTool, onEvent } = settings;
  return {
    preamble: preamble ?? 'text',
    carrier: carrier !== 'none',
    seal,
    now: Date.now,
    approve,
    redactToolOutput,
    onUnknownTool,
    observer: onEvent,
  };
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

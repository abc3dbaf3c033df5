import type { Call } from '../core/call.js';
import { type CallWarning, warningText } from '../core/warning.js';
import { ApprovalSigner } from '../loop/approval-signer.js';
import { createPump } from '../loop/pump.js';
import type { LoopOptions } from '../loop/loop-options.js';
import { readApprovals } from '../loop/read-approvals.js';
import { startCall } from '../loop/run-call.js';
import type { Observer } from '../observe/event.js';
import { notify } from '../observe/notify.js';
import { redacting } from '../observe/redacting.js';
import { Redactor } from '../observe/redact.js';
import { type ApiKeySetting, createKeyPool } from '../request/key-pool.js';
import { knownFunctionOptions } from '../request/vendors.js';
import type { OfferOptions } from '../tools/loop-tool.js';
import { raceAbort } from '../util/abort.js';
import type { CallEnds } from './call-ends.js';
import { HmacKey } from '../util/hmac.js';
import { checkPromptDepth } from '../sdk/prompt/check-depth.js';
import { isSealedCompaction } from '../sdk/prompt/compaction.js';
import type { Answering, AnsweringPlace } from '../rounds/answering.js';
import type { EngineCall } from '../sdk/parts/engine-call.js';
import type { StartOptions } from './engine.js';
import { type AnyCallOptions, fromCallOptions } from '../sdk/prompt/from-call-options.js';
import { PartSigner } from '../sdk/history/part-signer.js';
import { HistorySeal } from '../sdk/history/seal.js';
import type { HistoryTrust } from '../sdk/history/door.js';
import type { MetadataContext } from '../sdk/parts/metadata.js';
import { limitsOf } from '../settings/model-limits.js';
import type { ModelSettings } from '../settings/model-settings.js';
import { warnOfChoice, withoutShadowed } from './check-choice.js';
import type { Offers } from './offers.js';
import { retrySettings } from '../settings/retry-settings.js';
import { shownWarning } from '../sdk/parts/shown-warning.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';
import { WireAnswering, type WireAnsweringOptions } from '../rounds/wire-answering.js';
import { withInstructions } from '../tools/with-instructions.js';

export interface CallsOptions extends Omit<WireAnsweringOptions, 'keys' | 'redactor'> {
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
  readonly #signer: ApprovalSigner;
  /** With a secret: signs what travels in histories. */
  readonly #history: HistorySeal | undefined;
  /** Takes keys and secrets of tools out of whatever is not the model's own answer. */
  readonly #redactor: Redactor;
  readonly #observer: Observer | undefined;

  constructor(options: CallsOptions) {
    this.#options = options;
    const { settings, apiKey } = options;
    const keys = createKeyPool(apiKey, { maxWaitMs: settings.retry?.maxKeyWaitMs });
    this.#redactor = Redactor.of(
      () => keys.secrets(),
      () => options.offers.secrets(),
    );
    this.#observer = redacting(settings.onEvent, this.#redactor.long);
    this.#wire = new WireAnswering({ ...options, keys, redactor: this.#redactor });
    const secret = settings.historySecret ?? settings.approvalSecret;
    const key = secret === undefined ? undefined : new HmacKey(secret);
    this.#signer = new ApprovalSigner({ key, maxAgeMs: settings.approvalMaxAgeMs });
    this.#history = key === undefined ? undefined : new HistorySeal(key);
  }

  async start({ modelId, model, options, how, callNumber, ends }: WantedCall): Promise<EngineCall> {
    const { offers, name } = this.#options;
    checkPromptDepth(options.prompt, this.#options.settings.limits?.jsonDepth);
    const { unwanted, any: signal } = ends;
    const trust =
      this.#history === undefined ? this.#trust() : await raceAbort(this.#trustSigned(this.#history, options), signal);
    const { profile } = model.endpoint;
    const { call, warnings } = fromCallOptions(modelId, options, { name, trust, profile, ...how });
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
      limits: limitsOf(model),
      isVisible: this.#visible(call, how),
      canAskUser: how.asks,
      isItemVisible: how.tellsCompaction === true ? isSealedCompaction : undefined,
      previews: how.previews,
      history,
      resumeOffer,
      callNumber,
      signal: unwanted,
      ends: signal,
      ...loopSettings(this.#options.settings, this.#signer),
      observer: this.#observer,
      redactor: this.#redactor.long,
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
      ...(this.#history === undefined ? {} : { signer: new PartSigner(this.#history) }),
      // The pump then lets the call clean up, although nobody reads any more.
      cancel: (reason) => unwanted.cancel(reason),
    };
  }

  #trust(): HistoryTrust {
    return { carriers: this.#options.settings.carrier !== 'none' };
  }

  /** What is signed is known before anything is read. */
  async #trustSigned(seal: HistorySeal, { prompt }: AnyCallOptions): Promise<HistoryTrust> {
    return { ...this.#trust(), signed: await seal.signedParts(prompt) };
  }

  #answering(
    call: Call,
    where: Pick<AnsweringPlace, 'model' | 'callNumber' | 'signal'>,
    { answering }: StartOptions,
  ): Answering | Promise<Answering> {
    const { settings, defaults } = this.#options;
    const place = {
      defaults,
      retry: retrySettings(settings),
      observer: this.#observer,
      redactor: this.#redactor,
      ...where,
    };
    return answering === undefined ? this.#wire.answer(call, place) : answering(call, place);
  }

  /** Warnings reach the caller with the call; observers get them as events too. */
  #announce(warnings: readonly CallWarning[]): readonly CallWarning[] {
    const clean = warnings.length === 0 ? warnings : this.#redactor.long.value(warnings).map(shownWarning);
    for (const warning of clean) notify(this.#observer, () => ({ type: 'warning', message: warningText(warning) }));
    return clean;
  }

  #visible(call: Call, how: StartOptions): (name: string) => boolean {
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

type LoopSettings = Pick<LoopOptions, 'carrier' | 'signer' | 'now' | 'approve' | 'redactToolOutput' | 'onUnknownTool'>;

function loopSettings(settings: ResponsesProviderSettings, signer: ApprovalSigner): LoopSettings {
  const { carrier, approve, redactToolOutput, onUnknownTool } = settings;
  return {
    carrier: carrier === 'none' ? false : (carrier ?? 'metadata'),
    signer,
    now: Date.now,
    approve,
    redactToolOutput,
    onUnknownTool,
  };
}

/** The origin of reasoning may change with the key, in mid-call. */
function withChoice(metadata: Answering['metadata'], choice: StartOptions['fallback']): MetadataContext {
  if (choice === undefined) return metadata;
  const { uses, because } = choice;
  return {
    stored: metadata.stored,
    vendor: metadata.vendor,
    fallback: { uses, because },
    get origin() {
      return metadata.origin;
    },
  };
}

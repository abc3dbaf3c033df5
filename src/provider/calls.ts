import type { Call } from '../core/call.js';
import { type CallWarning, warningText } from '../core/warning.js';
import { ApprovalSigner } from '../loop/approval-signer.js';
import { Pump } from '../loop/pump.js';
import type { LoopOptions } from '../loop/loop-options.js';
import { type ApprovalHistory, readApprovals } from '../loop/read-approvals.js';
import { startCall } from '../loop/run-call.js';
import type { Observer } from '../observe/event.js';
import { notify, redacting } from '../observe/notify.js';
import { Redactor } from '../observe/redact.js';
import { type ApiKeySetting, createKeyPool } from '../request/key-pool.js';
import type { RetrySettings } from '../request/retry-delay.js';
import { knownFunctionOptions } from '../request/vendors.js';
import type { AnsweringPlace } from '../rounds/answering.js';
import { WireAnswering, type WireAnsweringOptions } from '../rounds/wire-answering.js';
import { PartSigner } from '../sdk/history/part-signer.js';
import { HistorySeal } from '../sdk/history/seal.js';
import type { EngineCall } from '../sdk/parts/engine-call.js';
import type { MetadataContext } from '../sdk/parts/metadata.js';
import { shownWarning } from '../sdk/parts/stream-result.js';
import { VERSIONS } from '../sdk/parts/versions.js';
import { checkPromptDepth } from '../sdk/prompt/from-prompt.js';
import { isSealedCompaction } from '../sdk/prompt/compaction.js';
import { type AnyCallOptions, fromCallOptions } from '../sdk/prompt/from-call-options.js';
import { limitsOf, retrySettings } from '../settings/model-limits.js';
import type { ModelSettings } from '../settings/model-settings.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';
import type { OfferOptions, ToolOffer } from '../tools/loop-tool.js';
import { withInstructions } from '../tools/with-instructions.js';
import { raceAbort } from '../util/abort.js';
import { HmacKey } from '../util/hash.js';
import { warnOfChoice, withoutShadowed } from './check-choice.js';
import type { CallHead } from '../core/journal.js';
import type { CallJournal } from '../journal/call-journal.js';
import type { CallEnds, Chosen, StartOptions } from './engine.js';
import { type KnownRegistry, NO_TOOLS, type ToolsetOptions } from './toolset.js';

export interface CallsOptions extends Omit<WireAnsweringOptions, 'keys' | 'redactor'> {
  readonly apiKey: ApiKeySetting | undefined;
  readonly defaults: AnsweringPlace['defaults'];
  readonly registry: KnownRegistry;
  readonly toolsets: ToolsetOptions;
  /** The name the provider goes by. */
  readonly name: string;
}

export interface WantedCall {
  readonly modelId: string;
  readonly model: ModelSettings;
  readonly options: AnyCallOptions;
  readonly how: StartOptions;
  readonly callNumber: number;
  /** Released by the caller of `start` if the call does not start, else at its end. */
  readonly ends: CallEnds;
}

type AnsweredCall = WantedCall & { readonly chosen: Chosen };

type ChosenTools = Pick<LoopOptions, 'call' | 'offer' | 'resumeOffer'> & {
  readonly choiceWarnings: readonly CallWarning[];
};

/** What answers the calls of a provider: one for each. Loaded with the first call; what can be wrong before is not in here. */
export class Calls {
  readonly #options: CallsOptions;
  readonly #wire: WireAnswering;
  readonly #retry: RetrySettings;
  readonly #loopSettings: LoopSettings;
  /** With a secret: signs what travels in histories. */
  readonly #history: HistorySeal | undefined;
  /** Takes keys and secrets of tools out of whatever is not the model's own answer. */
  readonly #redactor: Redactor;
  readonly #observer: Observer | undefined;

  constructor(options: CallsOptions) {
    const { settings, apiKey, registry } = options;
    const keys = createKeyPool(apiKey);
    const ofKeys = Redactor.of(() => keys.secrets());
    const secret = settings.historySecret ?? settings.approvalSecret;
    const key = secret === undefined ? undefined : new HmacKey(secret);
    this.#options = options;
    this.#redactor = registry.isEmpty ? ofKeys : ofKeys.and(registry.secrets);
    this.#observer = redacting(settings.onEvent, this.#redactor.long);
    this.#wire = new WireAnswering({ ...options, keys, redactor: this.#redactor });
    this.#retry = retrySettings(settings);
    this.#loopSettings = loopSettings(settings, new ApprovalSigner({ key, maxAgeMs: settings.approvalMaxAgeMs }));
    this.#history = key === undefined ? undefined : new HistorySeal(key);
  }

  async start(wanted: WantedCall): Promise<EngineCall> {
    const { modelId, model, options, how, callNumber, ends } = wanted;
    const { settings, name } = this.#options;
    checkPromptDepth(options.prompt, settings.limits?.jsonDepth);
    const carriers = settings.carrier !== 'none';
    const trust = this.#history === undefined ? { carriers } : { carriers, signed: await this.#signedParts(wanted) };
    const { profile } = model.endpoint;
    const { traits } = VERSIONS[how.version];
    const { call, warnings } = fromCallOptions(modelId, options, {
      stream: how.stream,
      name,
      trust,
      profile,
      ...traits,
    });
    const history = readApprovals(call.messages);
    const { journal } = how;
    const begun = journal && (await this.#begin(journal, wanted, history));
    const chosen = begun?.chosen ?? how;
    const place = this.#placeOf(wanted, begun?.recorded);
    const answering = await (chosen.answering?.(call, place) ?? this.#wire.answer(call, place));
    const tools = await this.#chooseTools(call, history, { ...wanted, chosen });
    const { offer: toolset, choiceWarnings } = tools;
    const callWarnings = (): readonly CallWarning[] => [
      ...(chosen.warnings ?? []),
      ...warnings,
      ...toolset.warnings,
      ...(toolset.leftOut ?? []),
      ...answering.warnings,
      ...choiceWarnings,
    ];
    const kept = await journal?.head(
      { fallback: chosen.fallback, warnings: this.#clean(callWarnings()) },
      answering.metadata,
    );
    const started = await startCall({
      ...this.#loopSettings,
      ...tools,
      openRound: journal?.rounds(answering) ?? answering.openRound,
      journal,
      limits: place.limits,
      isVisible: visibleTools(settings.toolParts ?? traits.toolParts, call),
      canAskUser: traits.canAskUser,
      isItemVisible: traits.emitsCompaction === true ? isSealedCompaction : undefined,
      previews: traits.previews,
      history,
      callNumber,
      signal: ends.unwanted,
      ends: ends.any,
      observer: this.#observer,
      redactor: this.#redactor.long,
    });
    const metadata = journal?.answerer(answering.metadata) ?? answering.metadata;
    return {
      pump: new Pump((emit) => started.run(emit).finally(ends.release), ends.unwanted),
      warnings: this.#announce(kept ?? this.#clean(callWarnings()), begun?.recorded !== undefined),
      requestBody: started.requestBody,
      responseHeaders: started.responseHeaders,
      metadata: chosen.fallback === undefined ? metadata : withChoice(metadata, chosen.fallback),
      signer: this.#history && new PartSigner(this.#history),
      // The pump then lets the call clean up, although its consumer has gone.
      cancel: (reason) => ends.unwanted.cancel(reason),
    };
  }

  /** The first step of the journal says whether the call began in an earlier attempt, and with whom. */
  async #begin(
    journal: CallJournal,
    { modelId, how, callNumber, ends }: WantedCall,
    { allowed, isAsking }: ApprovalHistory,
  ): Promise<{ readonly recorded: CallHead | undefined; readonly chosen: Chosen }> {
    const ahead = VERSIONS[how.version].traits.canAskUser && (isAsking || allowed.length > 0);
    const recorded = await raceAbort(journal.begin(ends.any, { ahead }), ends.any);
    if (how.choose === undefined) return { recorded, chosen: how };
    const chosen = await how.choose(recorded?.fallback);
    const { fallback } = chosen;
    const replayed = recorded !== undefined && { replayed: true as const };
    if (fallback !== undefined)
      notify(this.#observer, () => ({ type: 'fallback', callNumber, modelId, ...fallback, ...replayed }));
    return { recorded, chosen };
  }

  #placeOf({ model, callNumber, ends }: WantedCall, recorded: CallHead | undefined): AnsweringPlace {
    return {
      origin: recorded?.origin,
      model,
      limits: limitsOf(model),
      callNumber,
      signal: ends.any,
      defaults: this.#options.defaults,
      retry: this.#retry,
      observer: this.#observer,
      redactor: this.#redactor,
    };
  }

  /** What is signed is known before anything is read. */
  #signedParts({ options, ends }: WantedCall): Promise<ReadonlySet<object> | undefined> {
    return raceAbort(Promise.resolve(this.#history?.signedParts(options.prompt)), ends.any);
  }

  async #chooseTools(call: Call, { allowed }: ApprovalHistory, wanted: AnsweredCall): Promise<ChosenTools> {
    const { registry } = this.#options;
    const { type } = call.toolChoice;
    // With `toolChoice: none` the AI SDK takes any call of ours for a violation.
    const hasTools = type !== 'none' && !registry.isEmpty;
    const toolset = hasTools ? await this.#toolsFor(call, wanted, knownOptions(wanted)) : NO_TOOLS;
    const offered = hasTools && call.clientTools.length > 0 ? withoutShadowed(call, toolset) : call;
    const isNamed = type === 'tool' || call.options['allowedTools'] !== undefined;
    return {
      call: toolset.instructions.length > 0 ? withInstructions(offered, toolset.instructions) : offered,
      offer: toolset,
      choiceWarnings: isNamed ? warnOfChoice(call, toolset) : [],
      // A tool the user has allowed runs, whatever the model may do now.
      resumeOffer: type === 'none' && allowed.length > 0 ? await this.#toolsFor(call, wanted) : undefined,
    };
  }

  async #toolsFor(call: Call, { ends, how }: WantedCall, known?: OfferOptions['knownOptions']): Promise<ToolOffer> {
    const { registry, toolsets } = this.#options;
    const clientNames = call.clientTools.map((tool) => tool.name);
    const offer = registry.offer({ clientNames, ...toolsets, knownOptions: known, signal: ends.any });
    const toolset = await raceAbort(offer, ends.any);
    return how.journal?.tools(toolset) ?? toolset;
  }

  #clean(warnings: readonly CallWarning[]): readonly CallWarning[] {
    return warnings.length === 0 ? warnings : this.#redactor.long.value(warnings).map(shownWarning);
  }

  /** Warnings reach the caller with the call; observers get them as events too. */
  #announce(warnings: readonly CallWarning[], isReplayed: boolean): readonly CallWarning[] {
    const replayed = isReplayed && { replayed: true as const };
    for (const warning of warnings)
      notify(this.#observer, () => ({ type: 'warning', message: warningText(warning), ...replayed }));
    return warnings;
  }
}

function visibleTools(mode: 'all' | 'declared' | 'none', call: Call): (name: string) => boolean {
  const declared = new Set(call.declaredLoopTools);
  return (name) => mode === 'all' || (mode === 'declared' && declared.has(name));
}

/** The stock provider is given the tools of the loop as plain functions. */
function knownOptions({ modelId, model, chosen }: AnsweredCall): OfferOptions['knownOptions'] {
  return chosen.answering === undefined ? knownFunctionOptions(modelId, model.endpoint.profile) : new Set();
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
function withChoice(
  metadata: MetadataContext,
  { uses, because }: NonNullable<StartOptions['fallback']>,
): MetadataContext {
  return {
    stored: metadata.stored,
    vendor: metadata.vendor,
    fallback: { uses, because },
    get origin() {
      return metadata.origin;
    },
  };
}

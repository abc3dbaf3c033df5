import type { Call } from '../core/call.js';
import { type CallWarning, warningText } from '../core/warning.js';
import { ApprovalSigner } from '../loop/approval-signer.js';
import { Pump } from '../loop/pump.js';
import type { LoopOptions } from '../loop/loop-options.js';
import { type ApprovalHistory, readApprovals } from '../loop/read-approvals.js';
import { startCall } from '../loop/run-call.js';
import type { Observer, ObserverEvent } from '../observe/event.js';
import { notify, redacting } from '../observe/notify.js';
import { Redactor } from '../observe/redact.js';
import { type ApiKeySetting, createKeyPool } from '../request/key-pool.js';
import type { RetrySettings } from '../request/retry-delay.js';
import { knownFunctionOptions } from '../request/vendors.js';
import type { RoundContext, RoundSource } from '../rounds/round-source.js';
import { WireSource, type WireSourceOptions } from '../rounds/wire-source.js';
import type { HistoryTrust } from '../sdk/history/door.js';
import type { HistorySeal, PartSigner } from '../sdk/history/part-signer.js';
import type { MetadataContext } from '../sdk/parts/metadata.js';
import { type EngineCall, shownWarning } from '../sdk/parts/stream-result.js';
import { VERSIONS } from '../sdk/parts/versions.js';
import { checkPromptDepth } from '../sdk/prompt/from-prompt.js';
import { type AnyCallOptions, fromCallOptions } from '../sdk/prompt/from-call-options.js';
import { limitsOf, retrySettings } from '../settings/model-limits.js';
import type { ModelSettings } from '../settings/model-settings.js';
import type { ToolsetOptions, Toolset } from '../tools/loop-tool.js';
import { raceAbort } from '../util/abort.js';
import { HmacKey } from '../util/hash.js';
import { steadyNow } from '../util/timers.js';
import { type ChosenTools, withTools } from './check-choice.js';
import type { CallJournal, RecordedHead } from '../journal/call-journal.js';
import type { CallEnds, Chosen, StartOptions } from './engine.js';
import { type KnownRegistry, NO_TOOLS, type FixedToolsetOptions } from './toolset.js';

export interface CallsOptions extends Omit<WireSourceOptions, 'keys' | 'redactor' | 'hasLoopTools'> {
  readonly apiKey: ApiKeySetting | undefined;
  readonly defaults: RoundContext['defaults'];
  readonly registry: KnownRegistry;
  readonly toolsets: FixedToolsetOptions;
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

/** Who answers a call; with a journal, and what the call began with in an earlier attempt. */
interface BegunCall extends Chosen {
  readonly journal?: CallJournal | undefined;
  readonly recorded?: RecordedHead | undefined;
}

type ChosenCall = WantedCall & { readonly chosen: BegunCall };

type ReadCall = ReturnType<typeof fromCallOptions>;

/** What the settings say to every loop. */
type LoopSettings = Pick<LoopOptions, 'carrier' | 'signer' | 'now' | 'approve' | 'redactToolOutput' | 'onUnknownTool'>;

/** Signs what travels in histories; its code is loaded with the first call. */
interface Signing {
  readonly seal: HistorySeal;
  readonly PartSigner: typeof PartSigner;
}

/** A call that has only been read, and what could answer it. */
export interface PreparedCall {
  readonly call: Call;
  readonly warnings: readonly CallWarning[];
  readonly context: RoundContext;
  readonly wire: WireSource;
  readonly seal: HistorySeal | undefined;
}

/** What answers the calls of a provider: one for each. Loaded with the first call; what can be wrong before is not in here. */
export class Calls {
  readonly #options: CallsOptions;
  readonly #wire: WireSource;
  readonly #retry: RetrySettings;
  readonly #loopSettings: LoopSettings;
  /** What histories are signed with; without it they are not. */
  readonly #key: HmacKey | undefined;
  #signing: Signing | undefined;
  /** Takes keys and secrets of tools out of whatever is not the model's own answer. */
  readonly #redactor: Redactor;
  readonly #observer: Observer | undefined;

  constructor(options: CallsOptions) {
    const { settings, apiKey, registry } = options;
    const { carrier, approve, redactToolOutput, onUnknownTool, approvalMaxAgeMs: maxAgeMs } = settings;
    const keys = createKeyPool(apiKey);
    const ofKeys = Redactor.of(() => keys.secrets());
    const secret = settings.historySecret;
    this.#key = secret === undefined ? undefined : new HmacKey(secret);
    this.#options = options;
    this.#redactor = registry.isEmpty ? ofKeys : ofKeys.and(registry.secrets);
    this.#observer = redacting(settings.onEvent, this.#redactor.long);
    this.#wire = new WireSource({ ...options, keys, redactor: this.#redactor, hasLoopTools: !registry.isEmpty });
    this.#retry = retrySettings(settings);
    this.#loopSettings = {
      carrier: carrier === 'none' ? false : (carrier ?? 'metadata'),
      signer: new ApprovalSigner({ key: this.#key, maxAgeMs }),
      now: steadyNow,
      approve,
      redactToolOutput,
      onUnknownTool,
    };
  }

  async start(wanted: WantedCall): Promise<EngineCall> {
    const { how, callNumber, ends } = wanted;
    const { settings } = this.#options;
    const { traits } = VERSIONS[how.version];
    const signing = this.#signedParts(wanted);
    const { call, warnings } = this.#read(wanted, signing && (await signing));
    const history = readApprovals(call.messages);
    const chosen: BegunCall =
      how.journal === undefined ? how : await this.#begin(how.journal, wanted, { call, history });
    const context = this.#contextOf(wanted, chosen);
    const opening = chosen.openSource?.(call, context) ?? this.#wire.answer(call, context);
    const opened = 'then' in opening ? await opening : opening;
    const tools = await this.#chooseTools(call, history, { chosen, ...wanted });
    const live = this.#clean(warningsOf(chosen, warnings, tools, opened));
    const { journal, fallback } = chosen;
    const source = journal === undefined ? opened : await journal.keep(opened, { fallback, warnings: live });
    const started = await startCall({
      openRound: source.openRound,
      journal,
      limits: context.limits,
      isVisible: visibleTools(settings.toolParts, traits.toolParts, call),
      canAskUser: traits.canAskUser,
      isItemVisible: traits.isItemVisible,
      previews: traits.previews,
      history,
      callNumber,
      signal: ends.userAbort,
      ends: ends.any,
      observer: this.#observer,
      redactor: this.#redactor.long,
      // Behind the others: members written behind a spread are slow to write, and then to read.
      ...this.#loopSettings,
      ...(journal !== undefined && { signer: this.#loopSettings.signer.by(journal.now) }),
      ...tools,
    });
    return {
      pump: new Pump((emit) => started.run(emit).finally(ends.release), ends.userAbort),
      warnings: this.#announce(chosen.recorded?.warnings ?? live, chosen),
      requestBody: started.requestBody,
      responseHeaders: started.responseHeaders,
      metadata: chosen.fallback === undefined ? source.metadata : withChoice(source.metadata, chosen.fallback),
      signer: this.#signing && new this.#signing.PartSigner(this.#signing.seal),
      // The pump then lets the call clean up, although its consumer has gone.
      cancel: (reason) => ends.userAbort.cancel(reason),
    };
  }

  /** What compaction needs of a call; its code is loaded only for those who ask for that. */
  async prepare(wanted: WantedCall): Promise<PreparedCall> {
    const { call, warnings } = this.#read(wanted, await this.#signedParts(wanted));
    const context = this.#contextOf(wanted, {});
    return { call, context, warnings: this.#clean(warnings), wire: this.#wire, seal: this.#signing?.seal };
  }

  /** What of the prompt counts; at once where histories are not signed. */
  #signedParts({ options, model, ends }: WantedCall): Promise<HistoryTrust['signed']> | undefined {
    checkPromptDepth(options.prompt, (model.limits ?? limitsOf(model)).jsonDepth);
    return this.#key && this.#sealOf(this.#key).then((seal) => raceAbort(seal.signedParts(options.prompt), ends.any));
  }

  async #sealOf(key: HmacKey): Promise<HistorySeal> {
    const { HistorySeal, PartSigner } = await import('../sdk/history/part-signer.js');
    this.#signing ??= { seal: new HistorySeal(key), PartSigner };
    return this.#signing.seal;
  }

  /** The call in our words. */
  #read({ modelId, model, options, how }: WantedCall, signed: HistoryTrust['signed']): ReadCall {
    const { settings, name } = this.#options;
    const trust: HistoryTrust = { carriers: settings.carrier !== 'none', signed };
    const facts = { stream: how.stream, name, trust, profile: model.endpoint.profile };
    return fromCallOptions(modelId, options, { ...facts, ...VERSIONS[how.version].traits });
  }

  /** The first step of the journal says whether the call began in an earlier attempt, and with whom. */
  async #begin(
    journal: CallJournal,
    { modelId, how, callNumber, ends }: WantedCall,
    { call, history: { allowed, isAsking } }: { readonly call: Call; readonly history: ApprovalHistory },
  ): Promise<BegunCall> {
    const ahead = VERSIONS[how.version].traits.canAskUser && (isAsking || allowed.length > 0);
    const asked = { call, key: this.#key };
    const recorded = await raceAbort(journal.begin(ends.any, { ahead, asked }), ends.any);
    if (how.choose === undefined) return { ...how, journal, recorded };
    const chosen = await how.choose(recorded?.fallback);
    const { fallback } = chosen;
    if (fallback !== undefined)
      this.#notify({ type: 'fallback', callNumber, modelId, ...fallback }, recorded !== undefined);
    return { ...chosen, journal, recorded };
  }

  #contextOf({ model, callNumber, ends }: WantedCall, { recorded }: Pick<BegunCall, 'recorded'>): RoundContext {
    return {
      origin: recorded?.origin,
      model,
      limits: model.limits ?? limitsOf(model),
      callNumber,
      signal: ends.any,
      defaults: this.#options.defaults,
      retry: this.#retry,
      observer: this.#observer,
      redactor: this.#redactor,
    };
  }

  async #chooseTools(call: Call, { allowed }: ApprovalHistory, wanted: ChosenCall): Promise<ChosenTools> {
    if (this.#options.registry.isEmpty) return withTools(call, NO_TOOLS);
    // With `toolChoice: none` the AI SDK takes any call of ours for a violation.
    if (call.toolChoice.type === 'none') {
      const without = withTools(call, NO_TOOLS);
      // A tool the user has allowed runs, whatever the model may do now.
      return allowed.length === 0 ? without : { ...without, resumeToolset: await this.#toolsFor(call, wanted) };
    }
    const { modelId, model, chosen } = wanted;
    // The stock provider is given the tools of the loop as plain functions.
    const known =
      chosen.openSource === undefined ? knownFunctionOptions(modelId, model.endpoint.profile) : new Set<never>();
    return withTools(call, await this.#toolsFor(call, wanted, known));
  }

  async #toolsFor(
    call: Call,
    { ends, how: { journal } }: WantedCall,
    knownOptions?: ToolsetOptions['knownOptions'],
  ): Promise<Toolset> {
    const { registry, toolsets } = this.#options;
    const clientNames = call.clientTools.map((tool) => tool.name);
    const live = await raceAbort(
      registry.toolset({ clientNames, ...toolsets, knownOptions, signal: ends.any }),
      ends.any,
    );
    return journal?.tools(live) ?? live;
  }

  #clean(warnings: readonly CallWarning[]): readonly CallWarning[] {
    return warnings.length === 0 ? warnings : this.#redactor.long.value(warnings).map(shownWarning);
  }

  /** Warnings reach the caller with the call; observers get them as events too. */
  #announce(warnings: readonly CallWarning[], { recorded }: BegunCall): readonly CallWarning[] {
    for (const warning of warnings)
      this.#notify({ type: 'warning', message: warningText(warning) }, recorded !== undefined);
    return warnings;
  }

  #notify(event: ObserverEvent, isReplayed: boolean): void {
    notify(this.#observer, () => (isReplayed ? { ...event, replayed: true } : event));
  }
}

function warningsOf(
  chosen: Chosen,
  ofPrompt: readonly CallWarning[],
  { toolset, choiceWarnings }: ChosenTools,
  source: RoundSource,
): readonly CallWarning[] {
  const ofTools = [...toolset.warnings, ...(toolset.leftOut ?? [])];
  return [...(chosen.warnings ?? []), ...ofPrompt, ...ofTools, ...source.warnings, ...choiceWarnings];
}

type ToolParts = 'all' | 'declared' | 'none';

function visibleTools(setting: ToolParts | undefined, usual: ToolParts, call: Call): (name: string) => boolean {
  const mode = setting ?? usual;
  const declared = new Set(call.declaredLoopTools);
  return (name) => mode === 'all' || (mode === 'declared' && declared.has(name));
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

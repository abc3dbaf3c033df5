import { type CallWarning, warningText } from '../core/warning.js';
import { ApprovalSigner } from '../loop/approval-signer.js';
import type { CarrierPlace } from '../loop/carrier-writer.js';
import { Pump } from '../loop/pump.js';
import type { EarlierAttempt } from '../loop/call-plugin.js';
import { readApprovals } from '../loop/read-approvals.js';
import { startCall } from '../loop/run-call.js';
import type { Observer } from '../observe/event.js';
import { notify, redacting } from '../observe/notify.js';
import { observers } from '../observe/observers.js';
import { Redactor } from '../observe/redact.js';
import { type ApiKeySetting, createKeyPool } from '../request/key-pool.js';
import type { RetrySettings } from '../request/retry-delay.js';
import type { RoundContext, RoundRings } from '../rounds/round-source.js';
import { WireSource, type WireSourceOptions } from '../rounds/wire-source.js';
import type { HistoryTrust } from '../sdk/history/door.js';
import type { HistorySeal, PartSigner } from '../sdk/history/part-signer.js';
import { withChoice } from '../sdk/parts/metadata.js';
import { type EngineCall, shownWarning } from '../sdk/parts/stream-result.js';
import { VERSIONS } from '../sdk/parts/versions.js';
import { checkPromptDepth } from '../sdk/prompt/from-prompt.js';
import { fromCallOptions } from '../sdk/prompt/from-call-options.js';
import type { LoopOptionsOfCalls } from '../settings/check-loop-settings.js';
import { limitsOf, retrySettings } from '../settings/model-limits.js';
import type { ModelSettings } from '../settings/model-settings.js';
import { raceAbort } from '../util/abort.js';
import { HmacKey } from '../util/hash.js';
import { steadyNow } from '../util/timers.js';
import { visibleTools, warningsOf } from './check-choice.js';
import { type AllTools, chooseTools } from './choose-tools.js';
import type { AnsweredCall, BegunCall, EquippedCall, ReadCall, WantedCall } from './call-stages.js';
import { lateRunsIn } from './late-text.js';
import type { Rings } from './rings.js';
import type { SdkToolHost } from './sdk-tools.js';

export interface CallsOptions extends Omit<WireSourceOptions, 'keys' | 'redactor'>, AllTools {
  readonly rings: RoundRings &
    Pick<Rings, 'afterBreak' | 'between' | 'billing' | 'filledIn' | 'keeping' | 'late' | 'mayHaveLate' | 'searching'>;
  readonly loopOptions: LoopOptionsOfCalls;
  readonly apiKey: ApiKeySetting | undefined;
  readonly defaults: RoundContext['defaults'];
  /** The provider's name. */
  readonly name: string;
}

/** Signs metadata for histories; its code is loaded with the first call. */
interface Signing {
  readonly seal: HistorySeal;
  readonly PartSigner: typeof PartSigner;
}

/** Runs the calls of a provider. Loaded with the first call; checks that may fail before are elsewhere. */
export class Calls {
  readonly #options: CallsOptions;
  readonly #wire: WireSource;
  readonly #retry: RetrySettings;
  readonly #signer: ApprovalSigner;
  /** The key that signs histories; without it, they are unsigned. */
  readonly #key: HmacKey | undefined;
  #signing: Signing | undefined;
  /** Removes keys and secrets of tools from all texts except the model's answer. */
  readonly redactor: Redactor;
  readonly #observer: Observer | undefined;

  constructor(options: CallsOptions) {
    const { settings, apiKey, registry } = options;
    const keys = createKeyPool(apiKey);
    const ofKeys = Redactor.of(() => keys.secrets());
    const secret = settings.historySecret;
    this.#key = secret === undefined ? undefined : new HmacKey(secret);
    this.#options = options;
    this.redactor = registry.isEmpty ? ofKeys : ofKeys.and(registry.secrets);
    this.#observer = redacting(settings.onEvent, this.redactor.long);
    this.#wire = new WireSource({ ...options, keys, redactor: this.redactor });
    this.#retry = retrySettings(settings);
    this.#signer = new ApprovalSigner({ key: this.#key, maxAgeMs: settings.approvalMaxAgeMs });
  }

  async start(wanted: WantedCall): Promise<EngineCall> {
    const read = await this.#read(wanted);
    const begun = await this.#begin(read);
    const answered = await this.#answer(begun);
    return this.#run(await this.#equip(answered));
  }

  /** Returns the shared state of tool runs outside a call. */
  sdkHost(model: ModelSettings): Pick<SdkToolHost, 'scope' | 'outputs'> {
    const { approve, redactToolOutput } = model.loop;
    const own = { limits: model.limits ?? limitsOf(model), observer: this.#observerOf(model) };
    const scope = { approve, redactToolOutput, now: steadyNow, redactor: this.redactor.long, ...own };
    return { scope, outputs: this.#options.outputs };
  }

  /** Returns the parts of a call that compaction needs; its code is loaded on demand. */
  async prepare(wanted: WantedCall) {
    const { call, promptWarnings, messages } = await this.#read(wanted);
    const context = this.#contextOf(wanted, undefined);
    return {
      call: { ...call, messages },
      context,
      warnings: this.#clean(promptWarnings),
      wire: this.#wire,
      seal: this.#signing?.seal,
    };
  }

  /** Returns the trusted parts of the prompt; at once if histories are unsigned. */
  #signedParts({ options, model, ends }: WantedCall): Promise<HistoryTrust['signed']> | undefined {
    checkPromptDepth(options.prompt, (model.limits ?? limitsOf(model)).jsonDepth);
    return this.#key && this.#sealOf(this.#key).then((seal) => raceAbort(seal.signedParts(options.prompt), ends.any));
  }

  async #sealOf(key: HmacKey): Promise<HistorySeal> {
    const { HistorySeal, PartSigner } = await import('../sdk/history/part-signer.js');
    this.#signing ??= { seal: new HistorySeal(key), PartSigner };
    return this.#signing.seal;
  }

  async #read(wanted: WantedCall): Promise<ReadCall> {
    const { modelId, model, options, how } = wanted;
    const signing = this.#signedParts(wanted);
    const trust: HistoryTrust = { carriers: model.loop.carrier !== 'none', signed: signing && (await signing) };
    const facts = {
      stream: how.stream,
      name: this.#options.name,
      trust,
      profile: model.endpoint.profile,
      loopOptions: this.#options.loopOptions,
    };
    const read = fromCallOptions(modelId, options, { ...facts, ...VERSIONS[how.version].traits });
    const { call, warnings: promptWarnings } = read;
    const own = call.loop === undefined ? wanted : this.#withLoop(wanted, call.loop);
    const { rings } = this.#options;
    const isFilled = rings.mayHaveLate && lateRunsIn(call.messages).length > 0;
    const messages = isFilled ? await raceAbort(rings.filledIn(call.messages), wanted.ends.any) : call.messages;
    const history = readApprovals(messages);
    // The spread is last, here and below, because members after a spread are slow to write and to read.
    return { call, promptWarnings, messages, history, ...own };
  }

  #withLoop(wanted: WantedCall, loop: unknown): WantedCall {
    return { ...wanted, model: wanted.model.with(this.#options.loopOptions.check(loop)) };
  }

  /** Asks the plugin for an earlier attempt at the call, and then chooses the provider. */
  async #begin(read: ReadCall): Promise<BegunCall> {
    const { call, history, how, ends, callNumber } = read;
    const { plugin, choose } = how;
    const observing = this.#observerOf(read.model);
    const watching = observing && (await this.#options.rings.billing())(observing, read.model.loop.price);
    const { canAskUser } = VERSIONS[how.version].traits;
    const hasAllowedTools = canAskUser && (history.isAsking || history.allowed.length > 0);
    const begun = { call, hasAllowedTools, key: this.#key, ends: ends.any };
    const attempt = plugin && (await raceAbort(plugin.begin(begun), ends.any));
    const observer = plugin && watching ? plugin.observer(watching) : watching;
    const chosen = (await choose?.(attempt?.chosen)) ?? {};
    const { announcement } = chosen;
    if (announcement !== undefined) notify(observer, () => announcement(callNumber));
    return { attempt, chosen, observer, ...read };
  }

  async #answer(begun: BegunCall): Promise<AnsweredCall> {
    const { call, chosen, attempt } = begun;
    const context = this.#contextOf(begun, attempt);
    const opening = chosen.openSource?.(call, context) ?? this.#wire.answer(call, context);
    const source = 'then' in opening ? await opening : opening;
    const loading = this.#options.rings.between(begun.model.loop);
    if (loading === undefined) return { context, source, between: undefined, ...begun };
    const actBetween = await raceAbort(loading, begun.ends.any);
    const acting = actBetween(source, ({ modelId = call.modelId, options }) => {
      const changed = { ...call, modelId, options: { ...call.options, ...options } };
      const model = modelId === call.modelId ? begun.model : begun.model.as(modelId);
      const other = this.#contextOf({ ...begun, model }, attempt);
      return chosen.openSource?.(changed, other) ?? this.#wire.answer(changed, other);
    });
    begun.ends.also(() => acting.between.end());
    return { context, ...acting, ...begun };
  }

  /** Chooses the tools, and puts the plugin between the loop and the source of rounds. */
  async #equip(answered: AnsweredCall): Promise<EquippedCall> {
    const { attempt, chosen, source, promptWarnings } = answered;
    const { plugin } = answered.how;
    const tools = await chooseTools(answered, this.#options);
    const live = this.#clean(warningsOf(chosen, promptWarnings, tools, source));
    const { resumeToolset: toolset = tools.toolset } = tools;
    const rounds = plugin ? await plugin.rounds(source, { chosen: chosen.choice, warnings: live, toolset }) : source;
    return { tools, rounds, warnings: attempt?.warnings ?? live, ...answered };
  }

  /** Opens the first round. */
  async #run({ call, context, how, rounds, tools, model: { loop }, ...begun }: EquippedCall): Promise<EngineCall> {
    const { history, callNumber, ends, observer, chosen, warnings, between } = begun;
    const { plugin } = how;
    const { traits } = VERSIONS[how.version];
    const showsRuns = loop.toolProgress === 'parts' && traits.previews === true && call.stream;
    const { RunView } = showsRuns ? await import('../loop/run-view.js') : {};
    const keeping = this.#options.rings.keeping(observer);
    const keep = keeping && (await keeping);
    const { limits } = context;
    const late = this.#options.rings.late(tools.toolset, { call, plugin, limits, observer, ends: ends.any });
    const started = await startCall({
      openRound: rounds.openRound,
      onSettled: keep?.({ call, callNumber, endpoint: context.model.endpoint, limits }),
      between,
      afterBreak: this.#options.rings.afterBreak(),
      plugin,
      late: late && (await late),
      limits,
      isVisible: visibleTools(loop.toolParts, traits.toolParts, call),
      canAskUser: traits.canAskUser,
      isItemVisible: traits.isItemVisible,
      previews: traits.previews,
      RunView,
      history,
      callNumber,
      signal: ends.userAbort,
      ends: ends.any,
      observer,
      redactor: this.redactor.long,
      carrier: carrierOf(loop),
      signer: plugin === undefined ? this.#signer : this.#signer.by(plugin.now),
      now: steadyNow,
      approve: loop.approve,
      redactToolOutput: loop.redactToolOutput,
      onUnknownTool: loop.onUnknownTool,
      ...tools,
    });
    // The caller gets warnings with the call; observers get them as events too.
    for (const warning of warnings) notify(observer, () => ({ type: 'warning', message: warningText(warning) }));
    return {
      pump: new Pump((emit) => started.run(emit).finally(ends.release), ends.userAbort),
      warnings,
      requestBody: started.requestBody,
      requestUrl: started.requestUrl,
      responseHeaders: started.responseHeaders,
      metadata: chosen.choice === undefined ? rounds.metadata : withChoice(rounds.metadata, chosen.choice),
      signer: this.#signing && new this.#signing.PartSigner(this.#signing.seal),
      // The pump then lets the call clean up, although its consumer has gone.
      cancel: (reason) => ends.userAbort.cancel(reason),
    };
  }

  /** Returns the observer of the provider, joined by the model's own. */
  #observerOf({ loop }: ModelSettings): Observer | undefined {
    const common = this.#observer;
    if (loop.onEvent === this.#options.settings.onEvent) return common;
    const own = redacting(loop.onEvent, this.redactor.long);
    return common && own ? observers(common, own) : (own ?? common);
  }

  #contextOf({ model, callNumber, ends }: WantedCall, attempt: EarlierAttempt | undefined): RoundContext {
    const observer = this.#observerOf(model);
    return {
      origin: attempt?.origin,
      model,
      limits: model.limits ?? limitsOf(model),
      callNumber,
      signal: ends.any,
      defaults: this.#options.defaults,
      retry: this.#retry,
      observer,
      requestObserver: observer === this.#observer ? undefined : observer,
      redactor: this.redactor,
      rings: this.#options.rings,
    };
  }

  #clean(warnings: readonly CallWarning[]): readonly CallWarning[] {
    return warnings.length === 0 ? warnings : this.redactor.long.value(warnings).map(shownWarning);
  }
}

function carrierOf({ carrier = 'metadata' }: WantedCall['model']['loop']): false | CarrierPlace {
  return carrier === 'none' ? false : carrier;
}

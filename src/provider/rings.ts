import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { AfterBreak } from '../loop/broken-round.js';
import type { CallPlugin } from '../loop/call-plugin.js';
import type {
  LastingExchange,
  LastingResponse,
  RoundContext,
  RoundRings,
  Shortening,
  TransportParts,
} from '../rounds/round-source.js';
import type { billing } from '../observe/call-bill.js';
import type { Observer } from '../observe/event.js';
import { wantsRounds } from '../observe/notify.js';
import type { SettledRound } from '../loop/loop-options.js';
import type { KeepOptions } from '../runs/keep-rounds.js';
import type { MergedLoopSettings } from '../settings/loop-settings.js';
import type { ModelSettings } from '../settings/model-settings.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';
import type { ToolSearch } from '../search/search-ring.js';
import type { SocketRing } from '../transport/socket/socket-ring.js';
import type { Message } from '../core/message.js';
import type { LateCalls } from '../loop/late-calls.js';
import type { actBetween } from './between-call.js';
import type { LateCallOptions, LateResults } from './late-results.js';
import type { Toolset } from '../tools/loop-tool.js';
import type { Transport } from '../transport/transport.js';
import type { AbortLike } from '../util/abort.js';

/** Wraps the source of a call's rounds in the settings that act between rounds. */
type ActBetween = (...source: ActBetweenParameters) => ReturnType<typeof actBetween>;
type ActBetweenParameters = Parameters<typeof actBetween> extends [unknown, ...infer Rest] ? Rest : never;

/** Returns the keeper of a call's rounds. */
type Keep = (options: KeepOptions) => (settled: SettledRound) => void;

export interface RingsOptions {
  readonly settings: ResponsesProviderSettings;
  readonly hasLoopTools: boolean;
  /** The end of the provider. */
  readonly closed: AbortLike;
}

/**
 * The rings of a provider, and the setting or option that loads each. The core imports none of them; each is its own
 * chunk, which the first call that needs it loads.
 */
export class Rings implements RoundRings {
  readonly #options: RingsOptions;
  #sockets: SocketRing | undefined;
  #search: ToolSearch | undefined;
  #late: LateResults | undefined;

  constructor(options: RingsOptions) {
    this.#options = options;
  }

  /** `journal`. Calls the setting at once, in the caller's asynchronous context. */
  plugin(modelId: string): Promise<CallPlugin> | undefined {
    const { journal } = this.#options.settings;
    const asked: unknown = typeof journal === 'function' ? journal() : journal;
    if (asked === undefined) return undefined;
    return import('../journal/call-journal.js').then(({ CallJournal }) => new CallJournal(asked, modelId));
  }

  /** `transport`, of the settings, the model or the call. */
  transport(
    { options }: Call,
    { endpoint, transport }: ModelSettings,
    parts: TransportParts,
  ): Promise<(() => Transport) | undefined> | (() => Transport) | undefined {
    const mode = options['transport'] ?? transport;
    if (mode !== 'websocket' && mode !== 'auto') return undefined;
    if (this.#sockets !== undefined) return this.#sockets.transportOf(mode, endpoint);
    return import('../transport/socket/socket-ring.js').then(({ SocketRing }) => {
      const { settings, hasLoopTools, closed } = this.#options;
      const { webSocket: client, sockets, timeouts, limits, onEvent: observer, fetch } = settings;
      const hasOwnFetch = fetch !== undefined;
      const { socketMs } = timeouts ?? {};
      const { messageBytes } = limits ?? {};
      const own = { client, sockets, socketMs, messageBytes, observer, hasOwnFetch, hasLoopTools, closed };
      this.#sockets ??= new SocketRing({ ...own, ...parts });
      return this.#sockets.transportOf(mode, endpoint);
    });
  }

  /** `deferTools` and `deferLoading`, at a server without tool search. */
  searching({ tools }: Toolset): Promise<ToolSearch> | undefined {
    if (!tools.some(({ declaration }) => declaration.deferLoading === true)) return undefined;
    return import('../search/search-ring.js').then(({ ToolSearch }) => (this.#search ??= new ToolSearch()));
  }

  /** Functions with `async`, if the server accepts calls without outputs. */
  late(toolset: Toolset, options: LateCallOptions): Promise<LateCalls> | undefined {
    const offered = [...toolset.tools, ...(toolset.keptBack?.byWireName.values() ?? [])];
    if (!offered.some(({ declaration }) => declaration.async === true)) return undefined;
    return this.#lateResults().then((results) => results.calls(options));
  }

  /** Whether a history may have calls that outlasted their turn. */
  get mayHaveLate(): boolean {
    return this.#late !== undefined || this.#options.settings.outputs !== undefined;
  }

  /** Returns the history with later results. */
  filledIn(messages: readonly Message[]): Promise<readonly Message[]> {
    return this.#lateResults().then((results) => results.filledIn(messages));
  }

  async #lateResults(): Promise<LateResults> {
    const { LateResults } = await import('./late-results.js');
    const { OutputMemory } = await import('../outputs/outputs-ring.js');
    const { settings, closed } = this.#options;
    return (this.#late ??= new LateResults({ store: settings.outputs ?? new OutputMemory(), closed }));
  }

  /** `background: true` in the outgoing body. */
  lasting({ background }: JsonObject, exchange: () => LastingExchange): Promise<LastingResponse> | undefined {
    if (background !== true) return undefined;
    return import('../rounds/background.js').then(({ BackgroundResponse }) => new BackgroundResponse(exchange()));
  }

  /** `stopWhen`, `steering` and `prepareRound`. */
  between(settings: MergedLoopSettings): Promise<ActBetween> | undefined {
    const { stopWhen, steering, prepareRound } = settings;
    if (stopWhen === undefined && steering === undefined && prepareRound === undefined) return undefined;
    return import('./between-call.js').then(({ actBetween }): ActBetween => {
      return (usual, open) => actBetween(settings, usual, open);
    });
  }

  /** `retry.maxContinuations`. */
  afterBreak(): AfterBreak | undefined {
    const { maxContinuations: most = 0 } = this.#options.settings.retry ?? {};
    if (most === 0) return undefined;
    // Without the code, the failure stays, because the network may be gone.
    return (broken) => import('../broken/go-on.js').then(({ goOn }) => goOn(broken, most)).catch(() => undefined);
  }

  /** `onEvent`. */
  billing(): Promise<typeof billing> {
    return import('../observe/call-bill.js').then((bill) => bill.billing);
  }

  /** `recordEvents` with `outputs: 'full'`. */
  keeping(observer: Observer | undefined): Promise<Keep> | undefined {
    if (observer === undefined || !wantsRounds(observer)) return undefined;
    return import('../runs/keep-rounds.js').then(
      ({ keepRounds }): Keep =>
        (options) =>
          keepRounds(observer, options),
    );
  }

  /** `limits.maxLoopChars`. */
  shortening(context: RoundContext): Promise<Shortening> | undefined {
    const { maxLoopChars } = context.limits;
    if (maxLoopChars === undefined) return undefined;
    return import('../rounds/trim-rounds.js').then(({ Trimming }) => new Trimming(maxLoopChars, context));
  }
}

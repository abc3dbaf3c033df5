import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { Answerer, OpenRound } from '../core/round.js';
import type { CallWarning } from '../core/warning.js';
import type { Observer } from '../observe/event.js';
import type { Redactor } from '../observe/redact.js';
import type { BodyOverride } from '../request/body-override.js';
import type { RetrySettings } from '../request/retry-delay.js';
import type { ModelLimits, ModelSettings } from '../settings/model-settings.js';
import type { AbortLike } from '../util/abort.js';

/** The source of a call's rounds: the server of the settings, or another provider. */
export interface RoundSource {
  readonly openRound: OpenRound;
  /** What of the call has to be left out or changed for it. */
  readonly warnings: readonly CallWarning[];
  readonly metadata: Answerer;
}

export type OpenRoundSource = (call: Call, context: RoundContext) => RoundSource | Promise<RoundSource>;

/** What a round source has to know of a call beside its prompt and options. */
export interface RoundContext {
  /** Of the reasoning that the call holds already, from an earlier attempt at it. */
  readonly origin?: string | undefined;
  readonly model: ModelSettings;
  /** Where below the endpoint requests go, and what of a body goes there. Default: a response is asked for. */
  readonly route?: { readonly path: string; readonly body: BodyOverride } | undefined;
  readonly limits: ModelLimits;
  readonly callNumber: number;
  readonly signal: AbortLike;
  /** Options of every call, by the name the provider goes by. */
  readonly defaults: JsonObject;
  readonly retry: RetrySettings;
  readonly observer: Observer | undefined;
  /** Takes out of texts what the provider knows to be secret. */
  readonly redactor: Redactor;
}

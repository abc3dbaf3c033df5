import type { JsonObject } from '../../../src/core/json.js';
import type { ScriptRecord } from '../../../src/testing.js';
import type { Major } from '../sides.js';

/** A function the model may call; both providers are told of the same ones. */
export interface ScenarioTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly providerOptions?: Readonly<Record<string, unknown>>;
  /** What the caller's tool gives, where no recording says it. */
  readonly output?: unknown;
}

export type ProviderTool = Readonly<Record<string, unknown>>;

/** The stock package's own functions that declare a tool of the server; older majors lack some. */
export type HostedTools = Readonly<Record<string, ((args: object) => ProviderTool) | undefined>>;

/** A `fetch` that remembers what it was asked. */
export type AnsweringFetch = typeof globalThis.fetch & Pick<ScriptRecord, 'requests'>;

/** One answer, or several in a row, that both providers get byte for byte. */
export interface Scenario {
  readonly name: string;
  readonly tools: readonly ScenarioTool[];
  /** Tools the server runs, by the name they have in the call. */
  readonly hosted?: Readonly<Record<string, (make: HostedTools) => ProviderTool | undefined>>;
  /** Provider options of the call; none leaves everything at each provider's own default. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** What else the model is asked with. */
  readonly call?: Readonly<Record<string, unknown>>;
  /** Requests that the SDK may make for one turn. */
  readonly rounds: number;
  /** Majors that have these tools; all where none are named. */
  readonly only?: readonly Major[];
  /** What the user does in the next turn, whose request is then looked at, as are those of this turn. Default: nothing. */
  readonly next?: 'asks' | 'approves' | 'denies';
  /** A `fetch` of its own for each call, as a stream or as one JSON body; none where the answer has no such form. */
  answer(streaming: boolean): AnsweringFetch | undefined;
  /** What the caller's tool gave in the recording, by call id; none where it was never run. */
  outputOf?(callId: string): string | undefined;
}

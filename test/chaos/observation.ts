import type { ObserverEvent, ResponsesProviderV2 } from 'responses-loop';
import type { JsonObject } from '../../src/core/json.js';
import type { ScriptedRequest } from 'responses-loop/testing';
import type { LogEntry } from './log.js';
import type { Exchange } from './scenario.js';
import type { ToolRun } from './tools.js';

export type Model = ReturnType<ResponsesProviderV2>;
export type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never;
export type GenerateResult = Awaited<ReturnType<Model['doGenerate']>>;

/** One `doStream` or `doGenerate`, whoever made it. */
export interface ModelCall {
  readonly method: 'doStream' | 'doGenerate';
  /** The number of requests the server had got for this lane before it. */
  readonly firstRequest: number;
  readonly parts: Part[];
  result: GenerateResult | undefined;
  /** It rejected, with this. */
  rejected: { readonly error: unknown } | undefined;
  /** The stream ended by an error of its own (`controller.error`), which must never be. */
  broke: { readonly error: unknown } | undefined;
  /** The stream was closed, or the promise settled. */
  ended: boolean;
}

export interface SeenRequest {
  readonly request: ScriptedRequest;
  /** What it was answered with; `undefined` beyond the script. */
  readonly exchange: Exchange | undefined;
  /** Which of the lane's model calls sent it. */
  readonly modelCall: number;
  /** The provider said before it that a round is repeated. */
  readonly isRetry: boolean;
  /** How it came over a socket; `undefined`: over HTTP. `request` then is what it means, not what was sent. */
  readonly wire?: Wire | undefined;
}

export interface Wire {
  /** Counts connections from 0. */
  readonly connection: number;
  /** The first one on it. */
  readonly isFirst: boolean;
  readonly sent: JsonObject;
  /** What the server has in mind: what it remembers of the connection, then what was sent. */
  readonly context: readonly JsonObject[];
}

export interface LaneOutcome {
  readonly calls: readonly ModelCall[];
  readonly requests: readonly SeenRequest[];
  /** It ended within the bound. */
  readonly ended: boolean;
  /** What `ai` made of it, as far as it is judged. */
  readonly sdk: { readonly rejected?: unknown; readonly text?: string };
  readonly aborted: boolean;
  readonly cancelled: boolean;
  readonly abortReason: unknown;
  readonly listenersLeft: number;
  readonly durationMs: number;
}

/** Everything that could be seen of a scenario. */
export interface Observation {
  readonly lanes: readonly LaneOutcome[];
  readonly runs: readonly ToolRun[];
  /** Markers of tools that still ran, and had not been told to stop, when all calls were over. */
  readonly untold: readonly string[];
  readonly events: readonly ObserverEvent[];
  readonly log: readonly LogEntry[];
  /** What the scripted server complains about. */
  readonly problems: readonly string[];
  /** Requests at the MCP server without its token. */
  readonly strangers: number;
  readonly closedInTime: boolean;
  readonly survivors: number;
  /** Sockets that were still open a while after the provider was closed. */
  readonly socketsLeft: number;
  /** The longest time for which the event loop stood still. */
  readonly lagMs: number;
  /** It was so long that a time limit of the scenario may have run out for no other reason. */
  readonly wasSlow: boolean;
}

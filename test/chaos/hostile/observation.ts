import type { ObserverEvent } from 'responses-loop';
import type { JsonObject } from '../../../src/core/json.js';
import type { Answer } from './scenario.js';

/** One request that the model server got. */
export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: JsonObject;
  readonly input: readonly JsonObject[];
  /** What it was answered with; `undefined` beyond the script. */
  readonly answer: Answer | undefined;
  /** Bytes of the answer that were taken. */
  readonly meter: { readonly taken: number };
}

/** A part of a stream, of any version of the AI SDK. */
export interface AnyPart {
  readonly type: string;
  readonly id?: string;
  readonly toolCallId?: string;
  readonly [member: string]: unknown;
}

/** What came of one call. */
export interface CallOutcome {
  readonly parts: readonly AnyPart[];
  /** Of `doGenerate`. */
  readonly result: JsonObject | undefined;
  /** What it rejected with, or the error part. */
  readonly error: unknown;
  readonly finishReason: string | undefined;
  /** The stream failed by itself. */
  readonly broke: unknown;
  readonly ended: boolean;
}

export interface HostileRun {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A request at the MCP server, or at a host to which it redirected. */
export interface McpRequest {
  readonly host: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HostileObservation {
  readonly posts: readonly Post[];
  /** The calls that were attacked. */
  readonly outcomes: readonly CallOutcome[];
  readonly events: readonly ObserverEvent[];
  /** What `logEvents` wrote. */
  readonly logged: readonly string[];
  readonly runs: readonly HostileRun[];
  /** The prompt that was posted. */
  readonly prompt: readonly JsonObject[];
  /** Bodies of a harmless call afterwards, and of the same call with a fresh provider. */
  readonly probe: { readonly after: JsonObject | undefined; readonly fresh: JsonObject | undefined } | undefined;
  readonly mcp: readonly McpRequest[];
  /** Things in the answers: events of floods. */
  readonly units: number;
  readonly cpuMs: number;
  readonly closedInTime: boolean;
  /** `Object.prototype` has grown. */
  readonly isPolluted: boolean;
}

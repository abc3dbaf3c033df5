/** A whole scenario as plain data: printed on failure, made again from its seed, judged without looking at the code under test. */
export interface Scenario {
  readonly seed: number;
  readonly settings: ScenarioSettings;
  /** `undefined`: no MCP server is configured. */
  readonly mcp?: McpScenario;
  /** Calls that share one provider and run at the same time; mostly one. */
  readonly lanes: readonly Lane[];
  /** Play it once more with other cuts and compare the parts. */
  readonly replay: boolean;
  /** How rounds travel; `undefined`: over HTTP. */
  readonly sockets?: SocketScenario;
}

export interface SocketScenario {
  readonly mode: 'websocket' | 'auto';
  /** How upgrades are answered, one after another; all beyond them as the last one. */
  readonly upgrades: readonly Upgrade[];
  /** Connections at a time. */
  readonly max: number;
  readonly socketMs: number;
}

export type Upgrade = 'open' | 'late' | 401 | 404 | 426 | 500 | 'page' | 'reset' | 'silent';

export interface ScenarioSettings {
  readonly backend: 'generic' | 'openai' | 'llamacpp';
  readonly maxRounds: number;
  readonly maxToolCalls?: number;
  readonly toolConcurrency: 'auto' | 1 | 3;
  readonly toolParts: 'declared' | 'all' | 'none';
  readonly carrier: 'metadata' | 'none';
  readonly maxRetries: number;
  readonly toolTimeoutMs: number;
  readonly idleMs: number;
  readonly headersMs: number;
  readonly maxToolOutputChars: number;
}

export interface McpScenario {
  /** `stdio` is the official demo server as a process of its own. */
  readonly kind: 'http' | 'stdio';
  /** Whether answers come as JSON or as an event stream. */
  readonly jsonResponses: boolean;
  /** Nobody listens at its address. */
  readonly deadAtStart: boolean;
  readonly timeoutMs: number;
}

export interface Lane {
  readonly via: Via;
  readonly toolChoice: 'auto' | 'required' | 'tool' | 'none';
  /** Stubs of the loop tools stand among the call's tools, so that their parts are shown. */
  readonly declaresLoopTools: boolean;
  readonly hasClientTool: boolean;
  readonly pace: 'eager' | 'slow';
  readonly abort?: AbortPlan;
  /** The reader goes away after so many parts. */
  readonly cancelAfter?: number;
  /** What the server answers, one after another; whatever is asked beyond them gets a plain text. */
  readonly exchanges: readonly Exchange[];
}

export type Via = 'doStream' | 'doGenerate' | 'streamText' | 'generateText';

/** The nth time something happens, counted from 0. */
export interface AbortPlan {
  readonly when: 'before' | 'request' | 'part' | 'tool' | 'round-end' | 'tool-end' | 'retry' | 'response' | 'after';
  /** For `after`: milliseconds. */
  readonly n: number;
  readonly reason: 'none' | 'error' | 'text';
}

export type Exchange = HttpErrorExchange | SilentExchange | AnswerExchange;

export interface HttpErrorExchange {
  readonly kind: 'http-error';
  readonly status: 400 | 401 | 429 | 500;
  readonly code: string;
  /** How it is written as a message of a socket. */
  readonly frame?: 'wrapped' | 'flat' | 'untyped' | 'without-status';
  readonly retryAfterMs?: number;
  /** The error repeats the key it was sent. */
  readonly echoesKey: boolean;
}

/** No answer at all. */
export interface SilentExchange {
  readonly kind: 'silent';
  readonly how: 'reset' | 'stall';
}

export interface AnswerExchange {
  readonly kind: 'answer';
  readonly responseId: string;
  /** `json` only where the request did not ask for a stream. */
  readonly form: 'sse' | 'json';
  readonly items: readonly Item[];
  readonly interleave: boolean;
  readonly status: 'completed' | 'incomplete' | 'failed' | 'error';
  /** Of `failed` and `error`. */
  readonly error: { readonly code: string; readonly retryable: boolean; readonly echoesKey: boolean };
  readonly mangles: readonly Mangle[];
  readonly noise: readonly Noise[];
  /** So many events go out; the rest never does. */
  readonly stopAfter?: number;
  /** A piece of the event that would have been next. */
  readonly tornEvent: boolean;
  /** `close` is a proper end of a socket, which over HTTP would be an `end`. */
  readonly ending: 'end' | 'close' | 'reset' | 'stall';
  /** With this code a socket is closed. */
  readonly closeCode?: number;
  /** What becomes of the connection so many milliseconds after a whole answer over a socket. */
  readonly afterwards?: { readonly how: 'close' | 'reset' | 'limit'; readonly ms: number };
  readonly cut: Cut;
  readonly eventLines: boolean;
  readonly crlf: boolean;
  /** Silence before an event. */
  readonly pause?: { readonly at: number; readonly ms: number };
  /** A call that comes after the terminal event, and must not count. */
  readonly straggler: boolean;
}

export interface Cut {
  readonly how: 'whole' | 'events' | 'byte' | 'random' | 'utf8';
  readonly seed: number;
}

export type Item = TextItem | ReasoningItem | CallItem;

export interface TextItem {
  readonly type: 'text';
  readonly text: string;
}

export interface ReasoningItem {
  readonly type: 'reasoning';
  readonly text: string;
  readonly sealed: boolean;
}

export interface CallItem {
  readonly type: 'call';
  readonly name: ToolName;
  /** Unique over the scenario; tools say it back. */
  readonly marker: string;
  readonly does: Does;
  readonly broken: boolean;
  /** As it goes over the wire; servers use ids again. */
  readonly callId: string;
}

export type ToolName = 'look' | 'act' | 'peek' | 'poke' | 'ask' | 'nosuch' | 'echo' | 'trigger-long-running-operation';

/** What a tool does is said in its arguments. */
export type Does =
  | 'ok'
  | 'slow'
  | 'throw'
  | 'reject'
  | 'is-error'
  | 'hang'
  | 'deaf'
  | 'junk'
  | 'empty'
  | 'huge'
  | 'leak'
  | 'kill'
  | 'die';

/** What is done to the events of one item, or of all. */
export interface Mangle {
  readonly how: MangleKind;
  readonly item: number;
}

export type MangleKind =
  | 'added-again'
  | 'added-again-at-end'
  | 'added-late'
  | 'done-again'
  | 'done-again-at-end'
  | 'done-first'
  | 'text-done-first'
  | 'drop-added'
  | 'drop-deltas'
  | 'drop-last-delta'
  | 'drop-middle-delta'
  | 'drop-text-done'
  | 'drop-item-done'
  | 'closings-swapped'
  | 'no-index'
  | 'no-ids'
  | 'fresh-ids'
  | 'empty-snapshot';

/** Bytes that mean nothing, before the nth event. */
export interface Noise {
  readonly at: number;
  readonly what:
    | 'comment'
    | 'garbage'
    | 'broken-json'
    | 'unknown-event'
    | 'unknown-item'
    | 'blank'
    | 'done-mark'
    | 'retry';
}

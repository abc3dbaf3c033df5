import type { JsonObject } from '../../../src/core/json.js';
import type { Limits } from '../../../src/core/limits.js';

/**
 * A call that is attacked: by a client with a history that lies, a model server or an MCP server that misbehaves, or a
 * quantity. Plain data, made again from its seed.
 */
export interface HostileScenario {
  readonly seed: number;
  readonly attack: Attack;
  readonly version: Version;
  readonly method: 'doStream' | 'doGenerate';
  readonly settings: HostileSettings;
  /** Messages of the prompt, as the AI SDK makes them of what a browser posts. */
  readonly posted: readonly JsonObject[];
  /** Many more messages. */
  readonly crowd?: Crowd;
  /** An honest call comes first, and its history is posted with a change. */
  readonly replay?: Replay;
  /** What the server answers, one after another; afterwards a plain text. */
  readonly answers: readonly Answer[];
  /** The last answer is given for ever. */
  readonly repeatsLast: boolean;
  /** Calls at the same time, all the same. */
  readonly calls: number;
  /** Tools of the client beside `ask`. */
  readonly tools: number;
  readonly modelId: string;
  readonly mcp?: McpAttack;
  /** Played while nothing else is, and its CPU time counted. */
  readonly isHeavy: boolean;
}

export type Attack = 'history' | 'replay' | 'echo' | 'quantity' | 'body' | 'storm' | 'calls' | 'mcp';

export type Version = 'v2' | 'v3' | 'v4';

export interface HostileSettings {
  readonly backend: 'generic' | 'openai' | 'llamacpp' | 'openrouter';
  readonly carrier: 'metadata' | 'none';
  /** The setting that signs, if there is one. */
  readonly secret?: 'historySecret';
  readonly toolParts: 'declared' | 'all' | 'none';
  readonly json: boolean;
  readonly toolConcurrency: 'auto' | 1 | 3;
  readonly keys: KeyPlan;
  readonly maxRetries: number;
  readonly limits: Partial<Limits>;
  readonly maxToolOutputChars: number;
  readonly commentsMs: number;
}

export interface KeyPlan {
  readonly count: number;
  readonly prefix: string;
  readonly given: 'list' | 'function';
}

/** Messages that would be too long to write down. */
export interface Crowd {
  readonly of: 'turns' | 'turns-one-id' | 'carried-one-id' | 'denials' | 'reason' | 'same-words' | 'deep-metadata';
  readonly count: number;
}

export interface Replay {
  readonly tamper: Tamper;
  /** Which of the places that can be changed. */
  readonly at: number;
  readonly approves: boolean;
}

export type Tamper =
  | 'nothing'
  | 'leaf'
  | 'remove'
  | 'text'
  | 'input'
  | 'name'
  | 'twice'
  | 'swap'
  | 'forged-id'
  | 'other-id';

export type Answer = SaysAnswer | ErrorAnswer | FloodAnswer | EndlessAnswer;

/** A proper response, unless it echoes. */
export interface SaysAnswer {
  readonly kind: 'says';
  readonly form: 'sse' | 'json';
  readonly text: string;
  readonly calls: readonly SaidCall[];
  /** Where it repeats what it was sent. */
  readonly echoes: readonly EchoPlace[];
  readonly status: 'completed' | 'incomplete' | 'failed';
  /** After so many characters of the body it ends. */
  readonly cut?: CutInside;
}

export interface SaidCall {
  readonly name: 'look' | 'act' | 'pay' | 'ask' | 'mcp__hi';
  readonly marker: string;
}

export type EchoPlace =
  | 'text'
  | 'header'
  | 'header-name'
  | 'response-id'
  | 'service-tier'
  | 'incomplete-reason'
  | 'error-message'
  | 'error-code'
  | 'unknown-event'
  | 'item-id'
  | 'annotation'
  | 'no-json';

export interface ErrorAnswer {
  readonly kind: 'error';
  readonly status: number;
  readonly shape: ErrorShape;
  readonly echo: Echo;
  /** Characters before what is echoed, so that it lies across every limit some time. */
  readonly padding: number;
  /** Machine-readable fields of the error. */
  readonly code?: string;
  readonly param?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly echoesInHeaders: boolean;
  readonly cut?: CutInside;
}

export type ErrorShape =
  | 'openai'
  | 'flat'
  | 'detail'
  | 'fastapi'
  | 'text-member'
  | 'array'
  | 'html'
  | 'plain'
  | 'xml'
  | 'json-string'
  | 'deep'
  | 'sse'
  | 'empty';

export type Echo = 'nothing' | 'key' | 'headers' | 'body' | 'prompt';

export interface CutInside {
  /** A place in the first key that the body holds, or in the body where it holds none. */
  readonly at: number;
  readonly ending: 'end' | 'reset';
}

export interface FloodAnswer {
  readonly kind: 'flood';
  readonly of: FloodKind;
  readonly count: number;
  /** How the bytes arrive. */
  readonly pieces: 'one' | 'each' | 'kilobytes';
}

export type FloodKind =
  | 'deltas'
  | 'blank-deltas'
  | 'argument-deltas'
  | 'calls-read'
  | 'calls-write'
  | 'calls-client'
  | 'calls-open'
  | 'items'
  | 'unknown-items'
  | 'same-index'
  | 'never-announced'
  | 'annotations'
  | 'contents'
  | 'reasoning-sections'
  | 'no-json'
  | 'comments'
  | 'blank-lines'
  | 'nesting'
  | 'same-ids'
  | 'big-arguments';

/** A body that does not end by itself. */
export interface EndlessAnswer {
  readonly kind: 'endless';
  readonly of: 'html' | 'json' | 'array' | 'line' | 'data-lines' | 'comments' | 'blanks' | 'error-html' | 'error-json';
  readonly chunkBytes: number;
}

export interface McpAttack {
  readonly list: McpListMode;
  readonly call: McpCallMode;
  /** A process of its own in one of the modes of `test/support/hostile-mcp-server.mjs`. */
  readonly stdio?: string;
}

export type McpListMode =
  | 'plain'
  | 'many'
  | 'endless-pages'
  | 'repeated-pages'
  | 'long-description'
  | 'long-schema'
  | 'deep-schema'
  | 'odd-names'
  | 'odd-shapes'
  | 'no-list'
  | 'escapes'
  | 'surrogates'
  | 'patterns'
  | 'error'
  | 'redirect'
  | 'html'
  | 'echo';

export type McpCallMode =
  | 'plain'
  | 'many-blocks'
  | 'string'
  | 'null'
  | 'surrogate'
  | 'escapes'
  | 'huge'
  | 'long-error'
  | 'is-error'
  | 'echo'
  | 'echo-error'
  | 'deep'
  | 'odd-structure'
  | 'redirect'
  | 'status-401'
  | 'html'
  | 'endless';

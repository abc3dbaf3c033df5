import type { JsonObject, JsonValue } from '../core/json.js';

/**
 * A conversation kept on disk: what was asked, the bytes that came back, and the parts they stand for. One directory per
 * scenario: `meta.json`, then per round `1.request.json` and `1.sse` (or `1.response.json`), and `parts.json`.
 */
export interface Fixture {
  readonly meta: FixtureMeta;
  readonly rounds: readonly FixtureRound[];
  /** Expected round parts, one list per round, as {@link plainParts} writes them. Absent before the first generation. */
  readonly parts?: readonly (readonly JsonValue[])[] | undefined;
}

/** Where a fixture comes from. */
export interface FixtureMeta {
  /** The name of its directory. */
  readonly name: string;
  /** What it shows, in one line. */
  readonly title: string;
  /** Bytes of a real server, untouched, or a stream written from the specification. */
  readonly origin: 'recorded' | 'hand-written';
  /** The server and its version, or the specification and its version. */
  readonly source: string;
  /** Day of recording or writing, `YYYY-MM-DD`. */
  readonly date: string;
  /** What to look at, and what is odd about it. */
  readonly notes: string;
  readonly rounds: readonly FixtureRoundMeta[];
}

/** The outside of one answer. */
export interface FixtureRoundMeta {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `reset`: the connection broke behind the last byte. */
  readonly ending: 'end' | 'reset';
  /** The app stopped reading here: the answer would have gone on. A replay then waits in silence for the app to leave. */
  readonly aborted?: boolean | undefined;
  /** How the bytes came: the length of each chunk, and the milliseconds from the request to it. Older recordings have none. */
  readonly chunks?: readonly RecordedChunk[] | undefined;
}

/** Length in bytes, and milliseconds since the request was sent. */
export type RecordedChunk = readonly [bytes: number, ms: number];

export interface FixtureRound extends FixtureRoundMeta {
  readonly request: JsonObject;
  /** The body as it came over the wire. */
  readonly body: Uint8Array;
  /** An event stream (`.sse`) or one JSON body (`.response.json`). */
  readonly kind: 'sse' | 'json';
}

/** A fixture directory that is not as it should be; the message begins with the file. */
export class FixtureError extends Error {
  readonly file: string;

  constructor(file: string, problem: string, cause?: unknown) {
    super(`${file}: ${problem}`, cause === undefined ? undefined : { cause });
    this.name = 'FixtureError';
    this.file = file;
  }
}

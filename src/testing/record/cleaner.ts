import { redactHeaders, redactSecretsIn, secretsOf } from '../../observe/redact.js';
import type { JsonObject } from '../../core/json.js';
import type { RecordedChunk } from '../fixture.js';
import { applyEdits } from './edits.js';
import { bodyKind, jsonOfBody } from './json-of-body.js';
import { KnownSecrets } from './known-secrets.js';
import { redactRequest, valuesOfToolHeaders } from './redact-request.js';
import { holdsSealed, sealedEdits, withStandIns } from './sealed-fields.js';
import { secretEdits } from './secret-edits.js';
import { StandIns } from './stand-ins.js';

interface Answer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly chunks: readonly RecordedChunk[];
}

/** Whose account it is, which is nobody's business, and the day, which stands in `meta.json`. */
const DROPPED_HEADER = /^(?:openai-(?:organization|project)|date)$/;

/** Takes out of a conversation what must not be kept; what one exchange held is found in the later ones too. */
export class Cleaner {
  /** Whether a body is no longer what came. */
  changedBody = false;
  readonly #standIns = new StandIns();
  readonly #secrets: KnownSecrets;

  constructor(secrets: readonly string[]) {
    this.#secrets = new KnownSecrets(secrets);
  }

  get foundSealed(): boolean {
    return this.#standIns.size > 0;
  }

  request(sent: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: JsonObject;
  }): JsonObject {
    const body = withStandIns(sent.body, this.#standIns);
    this.#secrets.learn([...secretsOf({ ...sent, body }), ...valuesOfToolHeaders(body)]);
    // What is sealed may stand in other texts too.
    const sealed = this.#standIns.entries().map(([value]) => value);
    // An object stays an object.
    return redactSecretsIn(redactRequest(body), [...this.#secrets.list(), ...sealed]) as JsonObject;
  }

  /** Throws where something is left that cannot be taken out. */
  answer(answer: Answer): Answer {
    const kind = bodyKind(answer.headers['content-type'] ?? '', answer.body);
    const said = withStandIns(jsonOfBody(kind, answer.body).map(withoutLogprobs), this.#standIns);
    this.#secrets.learn(secretsOf({ url: '', headers: answer.headers, body: said }));
    // One character per byte: what is not replaced stays what it was, even half a character at the end.
    const text = Buffer.from(answer.body).toString('latin1');
    const sealed = sealedEdits(text, this.#standIns);
    const known = this.#standIns.entries().flatMap(([value, name]) => secretEdits(text, [value], name));
    const secret = secretEdits(text, this.#secrets.list());
    const changed = applyEdits(text, [...sealed, ...known, ...secret], cutsOf(answer.chunks));
    const body = new Uint8Array(Buffer.from(changed.text, 'latin1'));
    this.#check(jsonOfBody(kind, body));
    this.changedBody ||= changed.text !== text;
    return {
      headers: this.#cleanHeaders(answer.headers),
      body,
      chunks: chunksOf(changed.cuts, answer.chunks),
    };
  }

  #cleanHeaders(headers: Answer['headers']): Answer['headers'] {
    const kept = Object.entries(headers).filter(([name]) => !DROPPED_HEADER.test(name));
    return redactSecretsIn(redactHeaders(Object.fromEntries(kept)), this.#secrets.list());
  }

  #check(objects: readonly Record<string, unknown>[]): void {
    if (objects.some((object) => holdsSealed(object))) {
      throw new Error('holds sealed reasoning that cannot be replaced.');
    }
    const said = objects.map(({ delta }) => (typeof delta === 'string' ? delta : '')).join('');
    if (this.#secrets.isSaidIn(said)) throw new Error('says a key in several deltas, which cannot be taken out.');
  }
}

/** Their `token` is a piece of the text. */
function withoutLogprobs(value: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(value, (key, member: unknown) => (key.endsWith('logprobs') ? undefined : member)));
}

/** Where chunks end. */
function cutsOf(chunks: readonly RecordedChunk[]): number[] {
  let end = 0;
  return chunks.map(([bytes]) => (end += bytes));
}

/** A chunk of which nothing is left counts no more. */
function chunksOf(cuts: readonly number[], chunks: readonly RecordedChunk[]): RecordedChunk[] {
  return chunks
    .map(([, ms], at): RecordedChunk => [(cuts[at] ?? 0) - (cuts[at - 1] ?? 0), ms])
    .filter(([bytes]) => bytes > 0);
}

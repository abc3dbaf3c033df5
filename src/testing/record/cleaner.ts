import type { JsonObject } from '../../core/json.js';
import { redactUrl, secretsOf, secretsOfAnswer } from '../../observe/redact.js';
import type { RecordedChunk } from '../fixture/fixture.js';
import { applyEdits, deltaEdits, deltasJoined, scannerOf, secretEdits, withoutSecrets } from './edits.js';
import { bodyKind, jsonOfBody } from './json-of-body.js';
import { isKeyHeader, keysIn, KnownSecrets } from './known-secrets.js';
import { redactAnswerHeaders, redactRequest } from './redact-fixture.js';
import { holdsSealed, sealedEdits, StandIns, withStandIns } from './sealed.js';

interface Answer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly chunks: readonly RecordedChunk[];
}

/** The account, which is private, and the day, which `meta.json` has. */
const DROPPED_HEADER = /^(?:openai-(?:organization|project)|date)$/;

/** Removes secrets from a conversation. A secret of one exchange is removed from all others too. */
export class Cleaner {
  /** Whether cleaning changed a body. */
  changedBody = false;
  readonly #standIns = new StandIns();
  readonly #secrets: KnownSecrets;

  constructor(secrets: readonly string[]) {
    this.#secrets = new KnownSecrets(secrets);
  }

  get foundSealed(): boolean {
    return this.#standIns.size > 0;
  }

  /** The number of known secrets; an earlier result may contain a secret found later. */
  get known(): number {
    return this.#secrets.size + this.#standIns.size;
  }

  /** Also cleans earlier results again with the secrets found since; so does `answer`. */
  request(body: JsonObject, sent: { readonly url: string; readonly headers: Answer['headers'] }): JsonObject {
    const named = withStandIns(body, this.#standIns);
    this.#secrets.learn(secretsOf({ ...sent, body: named }));
    this.#secrets.learn(
      Object.values(sent.headers)
        .filter(isKeyHeader)
        .flatMap((header) => [header, ...header.split(/\s+/).slice(1)]),
    );
    this.#secrets.learnFrom(named);
    // A sealed value may be repeated in other texts.
    const sealed = scannerOf(this.#standIns.entries().map(([value]) => value));
    // An object remains one, and the replacement of a secret needs no quotes.
    return JSON.parse(withoutSecrets(this.text(JSON.stringify(redactRequest(named))), sealed)) as JsonObject;
  }

  /** Throws if a secret cannot be removed. */
  answer(answer: Answer, cookies: readonly string[] = []): Answer {
    const kind = bodyKind(answer.headers['content-type'] ?? '', answer.body);
    const said = withStandIns(jsonOfBody(kind, answer.body).map(withoutLogprobs), this.#standIns);
    const { 'set-cookie': _attributes, ...headers } = answer.headers;
    this.#secrets.learn([...secretsOfAnswer(headers, said), ...cookies]);
    this.#secrets.learnFrom(said);
    // One character per byte: unchanged bytes stay the same, even half a character at the end.
    const text = Buffer.from(answer.body).toString('latin1');
    // A body that is no JSON has texts too.
    this.#secrets.learn(keysIn(text));
    const sealed = sealedEdits(text, this.#standIns);
    // One sealed value may begin like another, so a piece does not tell which name replaces it.
    const known = this.#standIns
      .entries()
      .flatMap(([value, name]) => secretEdits(text, scannerOf([value], { wholeOnly: true }), name));
    const secrets = this.#secrets.scanner();
    const edits = [...sealed, ...known, ...deltaEdits(text, secrets), ...secretEdits(text, secrets)];
    const changed = applyEdits(text, edits, cutsOf(answer.chunks));
    const body = new Uint8Array(Buffer.from(changed.text, 'latin1'));
    this.#check(jsonOfBody(kind, body));
    this.changedBody ||= changed.text !== text;
    return { headers: this.#cleanHeaders(answer.headers), body, chunks: chunksOf(changed.cuts, answer.chunks) };
  }

  /** Returns a text without secrets. */
  text(text: string): string {
    return withoutSecrets(text, this.#secrets.scanner());
  }

  #cleanHeaders(headers: Answer['headers']): Answer['headers'] {
    const kept = Object.entries(headers).filter(([name]) => !DROPPED_HEADER.test(name));
    const redacted = Object.entries(redactAnswerHeaders(Object.fromEntries(kept)));
    // The address of a redirect may be a path.
    const address = (name: string, value: string): string => (name.endsWith('location') ? redactUrl(value) : value);
    // The name of a header has no brackets.
    return Object.fromEntries(
      redacted.map(([name, value]) => [this.text(name).replaceAll(/[[\]]/g, ''), this.text(address(name, value))]),
    );
  }

  /** Checks the texts as a reader of the fixture will see them. */
  #check(objects: readonly Record<string, unknown>[]): void {
    if (objects.some((object) => holdsSealed(object))) {
      throw new Error('contains sealed reasoning that cannot be replaced.');
    }
    const texts = [...deltasJoined(objects), ...textsIn(objects)];
    const secrets = this.#secrets.scanner();
    if (texts.some((text) => secrets.spansIn(text).length > 0)) {
      throw new Error('contains a key that cannot be removed: it is written in an unusual way.');
    }
  }
}

/** A `token` is a piece of the text. */
function withoutLogprobs(value: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(value, (key, member: unknown) => (key.endsWith('logprobs') ? undefined : member)));
}

/** Returns all texts of a JSON value, and the names of its members. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

/** Returns the ends of the chunks. */
function cutsOf(chunks: readonly RecordedChunk[]): number[] {
  let end = 0;
  return chunks.map(([bytes]) => (end += bytes));
}

/** An empty chunk is dropped. */
function chunksOf(cuts: readonly number[], chunks: readonly RecordedChunk[]): RecordedChunk[] {
  return chunks
    .map(([, ms], at): RecordedChunk => [(cuts[at] ?? 0) - (cuts[at - 1] ?? 0), ms])
    .filter(([bytes]) => bytes > 0);
}

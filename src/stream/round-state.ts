import type { Redactor } from '../observe/redactor.js';
import type { JsonObject } from '../core/json.js';
import type { ResponseFacts, RoundPart, Source } from '../core/part.js';
import type { RoundIds } from '../core/round.js';
import type { Usage } from '../core/usage.js';

/** Parsed JSON of any shape. */
export type WireObject = Readonly<Record<string, unknown>>;

/** Values that wait under a name, each for its turn. */
export class Waiting<T> {
  readonly #queues = new Map<string, { readonly values: T[]; next: number }>();

  add(name: string, value: T): void {
    const queue = this.#queues.get(name);
    if (queue === undefined) this.#queues.set(name, { values: [value], next: 0 });
    else queue.values.push(value);
  }

  has(name: string): boolean {
    const queue = this.#queues.get(name);
    return queue !== undefined && queue.next < queue.values.length;
  }

  /** Not shifted: a server may send any number of them. */
  take(name: string): T | undefined {
    const queue = this.#queues.get(name);
    const value = queue?.values[queue.next];
    if (queue !== undefined && value !== undefined) queue.next += 1;
    return value;
  }
}

/** A call that stayed incomplete in a complete response. It does not run, and the caller must see why. */
interface LostCall {
  readonly name: string | undefined;
  /** The server reported that the response was cut off. */
  readonly isCut: boolean;
}

/** OpenAI marks the addresses that it cites, but not those that it searched. */
function pageOf(url: string): string {
  return url.replace(/[?&]utm_source=openai$/, '');
}

/** The state of a round while it is read, except its items. */
export class RoundState {
  /** Each warning once. */
  readonly warnings = new Set<string>();
  /** Wire ids of function calls whose output the response contains. */
  readonly answeredWireIds = new Set<string>();
  /** Calls that wait for their answering item, and such items that arrived first: see `pairKey`. */
  readonly calls = new Waiting<(output: JsonObject) => void>();
  readonly outputs = new Waiting<() => JsonObject>();
  readonly lost: LostCall[] = [];
  responseId: string | undefined;
  model: string | undefined;
  createdAt: number | undefined;
  /** How many facts about the response were emitted already. */
  emittedFacts = 0;
  refused = false;
  usage: Usage = {};
  responseFacts: ResponseFacts | undefined;
  /** Where parts go: the batch of the chunk being read. */
  batch: RoundPart[] = [];

  readonly ids: RoundIds;
  /** Removes secrets from a string of the server that is not the model's answer. */
  readonly redactor: Redactor;

  readonly #cited = new Set<string>();
  /** Pages that the server's searches read, each with the slot of its first search. */
  readonly #searched = new Map<string, string>();

  constructor(ids: RoundIds, redactor: Redactor) {
    this.ids = ids;
    this.redactor = redactor;
  }

  emit(part: RoundPart): void {
    this.batch.push(part);
  }

  /** Emits a source, once: servers list what a search found and cite it again. */
  cite(source: Source, slotKey: string): void {
    const name =
      source.kind === 'url' ? pageOf(source.url) : `${source.fileId ?? ''}:${source.filename ?? source.title}`;
    if (this.#cited.has(name)) return;
    this.emit({ type: 'source', id: this.partId(`${slotKey}.source${this.#cited.size}`), ...source });
    this.#cited.add(name);
  }

  /** Keeps a page that a search found, because a citation of the page would add its title. */
  found(url: string, slotKey: string): void {
    if (!this.#searched.has(url)) this.#searched.set(url, slotKey);
  }

  /** Emits pages that were found but not cited, at the end of the response. */
  citeFound(): void {
    for (const [url, slotKey] of this.#searched) this.cite({ kind: 'url', url }, slotKey);
  }

  partId(slotKey: string): string {
    return this.ids.partId(this.responseId, slotKey);
  }

  warn(message: string): void {
    this.warnings.add(message);
  }

  /** Servers refuse a request with one. */
  warnOfLooseOutput(): void {
    this.warn('The server sent the output of a call that is not in its response; it was left out.');
  }

  /** A call that did not become whole, in a response that did. */
  lose(call: LostCall): void {
    const which = call.name === undefined || call.name === '' ? 'a call without a name' : `a call of "${call.name}"`;
    this.warn(`The response ended with ${which} that was cut off; the call was dropped and did not run.`);
    this.lost.push(call);
  }
}

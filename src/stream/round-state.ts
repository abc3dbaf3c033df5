import type { ResponseFacts, RoundPart } from '../core/part.js';
import type { RoundIds } from '../core/round.js';
import type { Usage } from '../core/usage.js';
import type { NamelessSource } from './annotation-source.js';
import { asId } from '../util/guards.js';
import { CallPairs } from './call-pairs.js';
import { SlotTable } from './slot-table.js';

/** Everything a round remembers while it is read: the one place with mutable state. */
export class RoundState {
  readonly table = new SlotTable();
  readonly #warnings = new Set<string>();
  /** Wire ids of function calls whose output the response brought along. */
  readonly answeredWireIds = new Set<string>();
  /** Other calls and what answers them: see `pairKey`. */
  readonly pairs = new CallPairs();
  responseId: string | undefined;
  /** How many facts about the response were told already. */
  factsTold = 0;
  refused = false;
  usage: Usage = {};
  responseFacts: ResponseFacts | undefined;
  /** Where parts go: the batch of the chunk being read. */
  batch: RoundPart[] = [];

  readonly ids: RoundIds;

  readonly #cited = new Set<string>();

  /** Takes secrets out of a text of the server that is not the model's answer. */
  readonly clean: (text: string) => string;
  #model: string | undefined;
  #saidModel: unknown;

  constructor(ids: RoundIds, clean: (text: string) => string) {
    this.ids = ids;
    this.clean = clean;
  }

  /** The model's name; servers repeat it in every event that holds the response. */
  modelOf(said: unknown): string | undefined {
    if (said !== this.#saidModel) {
      const name = asId(said);
      this.#model = name === undefined ? undefined : this.clean(name);
      this.#saidModel = said;
    }
    return this.#model;
  }

  emit(part: RoundPart): void {
    this.batch.push(part);
  }

  /** Tells a source, once: servers list what a search found and cite it again. */
  cite(source: NamelessSource, slotKey: string): void {
    const name = source.kind === 'url' ? source.url : `${source.fileId ?? ''}:${source.title}`;
    if (this.#cited.has(name)) return;
    this.emit({ type: 'source', id: this.partId(`${slotKey}.source${this.#cited.size}`), ...source });
    this.#cited.add(name);
  }

  partId(slotKey: string): string {
    return this.ids.partId(this.responseId, slotKey);
  }

  warn(message: string): void {
    this.#warnings.add(message);
  }

  get warnings(): readonly string[] {
    return [...this.#warnings];
  }
}

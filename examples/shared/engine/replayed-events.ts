import type { Comparable, EngineOptions, KeptEvent } from './types.js';

interface Kept extends KeptEvent {
  readonly what: Comparable;
  isTaken: boolean;
}

/** What is to be written: the events after `after`, if it is set, are replaced. */
export interface Change {
  readonly after?: number;
  readonly events: readonly unknown[];
}

const NOTHING: Change = { events: [] };

/**
 * Holds the events of an attempt against those that earlier attempts have kept. As long as both say the same, nothing is
 * written; where they part (a round that was cut is asked again, in other words), what is kept is replaced from there on.
 */
export class ReplayedEvents {
  readonly #kept: readonly Kept[];
  readonly #before: number;
  readonly #compare: EngineOptions['compare'];
  #at = 0;
  /** How much of the text at `#at` was said again. */
  #said = 0;
  /** Results that this attempt has added behind those that are kept. */
  readonly #added: unknown[] = [];
  #isOver: boolean;

  constructor(kept: readonly KeptEvent[], before: number, { compare }: Pick<EngineOptions, 'compare'>) {
    this.#kept = kept.flatMap(({ seq, event }) => {
      const what = compare === undefined ? { key: '' } : compare(event);
      return what === undefined ? [] : [{ seq, event, what, isTaken: false }];
    });
    this.#before = before;
    this.#compare = compare;
    this.#isOver = this.#kept.length === 0;
  }

  take(event: unknown): Change {
    if (this.#isOver) return { events: [event] };
    if (this.#compare === undefined) return this.#part([event]);
    const what = this.#compare(event);
    if (what === undefined) return NOTHING;
    if (what.isUnordered === true) return this.#takeUnordered(event, what);
    if (what.delta !== undefined) return this.#takeDelta(what, what.delta);
    const expected = this.#next();
    if (expected === undefined) return this.#part([event]);
    if (expected.what.key !== what.key || this.#said > 0) return this.#part([event]);
    this.#at += 1;
    return NOTHING;
  }

  /** The attempt has said all: what is kept beyond that is not part of the turn. */
  end(): Change {
    return this.#isOver || this.#next() === undefined ? NOTHING : this.#part([]);
  }

  #takeUnordered(event: unknown, { key }: Comparable): Change {
    if (this.#said > 0) return this.#part([event]);
    const rest = this.#kept.slice(this.#at).filter(({ isTaken }) => !isTaken);
    const ordered = rest.findIndex(({ what }) => what.isUnordered !== true);
    const others = ordered === -1 ? rest : rest.slice(0, ordered);
    const same = others.find(({ what }) => what.key === key);
    if (same !== undefined) {
      same.isTaken = true;
      return NOTHING;
    }
    // One that was not kept yet, behind others that were.
    if (ordered !== -1 || rest.length === 0) return this.#part([event]);
    this.#added.push(event);
    return { events: [event] };
  }

  #takeDelta({ key }: Comparable, delta: NonNullable<Comparable['delta']>): Change {
    let rest = delta.text;
    while (rest !== '') {
      const expected = this.#next();
      const text = expected?.what.key === key ? expected.what.delta?.text.slice(this.#said) : undefined;
      if (text === undefined) return this.#part([delta.with(rest)]);
      const length = Math.min(text.length, rest.length);
      if (text.slice(0, length) !== rest.slice(0, length)) {
        const again = (expected?.what.delta?.text ?? '').slice(0, this.#said);
        this.#said = 0;
        return this.#part([delta.with(again + rest)]);
      }
      rest = rest.slice(length);
      this.#said += length;
      if (length < text.length) return NOTHING;
      this.#said = 0;
      this.#at += 1;
    }
    return NOTHING;
  }

  #next(): Kept | undefined {
    while (this.#kept[this.#at]?.isTaken === true) this.#at += 1;
    return this.#kept[this.#at];
  }

  /** From here on the attempt goes its own way. */
  #part(events: readonly unknown[]): Change {
    const first = this.#next();
    this.#isOver = true;
    if (first === undefined) return { events };
    const { what, seq } = first;
    // Of a text that ends sooner now, the beginning stays.
    const said =
      this.#said > 0 && what.delta !== undefined ? [what.delta.with(what.delta.text.slice(0, this.#said))] : [];
    const taken = this.#kept.slice(this.#at).filter(({ isTaken }) => isTaken);
    const after = this.#kept[this.#at - 1]?.seq ?? Math.min(this.#before, seq - 1);
    return { after, events: [...said, ...taken.map(({ event }) => event), ...this.#added, ...events] };
  }
}

import { asString, rowOf } from '../../util/guards.js';

/** A text or a reasoning up to the present part. */
export type Spoken = { type: 'text'; text: string } | { type: 'reasoning'; text: string };

type Place = 'start' | 'delta' | 'end';

const PLACES: Readonly<Record<string, readonly [Spoken['type'], Place]>> = {
  'text-start': ['text', 'start'],
  'text-delta': ['text', 'delta'],
  'text-end': ['text', 'end'],
  'reasoning-start': ['reasoning', 'start'],
  'reasoning-delta': ['reasoning', 'delta'],
  'reasoning-end': ['reasoning', 'end'],
};

/** Puts texts and reasoning together again from the parts of a stream, in which they may interleave. */
export class SpokenTexts {
  readonly #open = new Map<string, Spoken>();

  /** Returns the text or reasoning of a part; `undefined` for other parts. */
  take(part: object): { readonly spoken: Spoken; readonly place: Place; readonly isNew: boolean } | undefined {
    const { type: partType, id, text, delta }: Readonly<Record<string, unknown>> = { ...part };
    const row = rowOf(PLACES, String(partType));
    if (row === undefined) return undefined;
    const [type, place] = row;
    const key = `${type} ${asString(id) ?? ''}`;
    const known = place === 'start' ? undefined : this.#open.get(key);
    const spoken = known ?? { type, text: '' };
    if (place === 'end') this.#open.delete(key);
    else this.#open.set(key, spoken);
    // The AI SDK renames the deltas of models.
    if (place === 'delta') spoken.text += asString(text) ?? asString(delta) ?? '';
    return { spoken, place, isNew: known === undefined };
  }
}

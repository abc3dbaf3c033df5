/**
 * Keeps outputs of tools that were too long for the model, so that it can read the rest. Keep them as long as the
 * conversation may continue.
 *
 * @example
 * const outputs: OutputStore = {
 *   put: (id, text) => redis.set(`output:${id}`, text, { EX: 7 * 24 * 3600 }),
 *   get: (id) => redis.get(`output:${id}`),
 * };
 */
export interface OutputStore {
  /** Keeps a text under an id, which is hard to guess. May be called again with the same id and text. */
  put(id: string, text: string): unknown;
  /** Returns the text, or nothing if it is no longer kept. */
  get(id: string): Kept | PromiseLike<Kept>;
}

type Kept = string | null | undefined;

/**
 * Hands over values as they come, without a promise for each of them, as an async iterable would need. Settles when there
 * are no more or no more are wanted; what is left is given up then, and also when `take` throws.
 */
export type Pour<T> = (take: Take<T>) => Promise<void>;

/** Whether more is wanted; a promise says that it is, and holds up what follows until then. */
export type Take<T> = (value: T) => boolean | Promise<void>;

export function pourOf<T>(values: AsyncIterable<T> | Pour<T>): Pour<T> {
  if (typeof values === 'function') return values;
  return async (take) => {
    for await (const value of values) {
      const wanted = take(value);
      if (wanted === false) return;
      await wanted;
    }
  };
}

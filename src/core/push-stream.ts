/**
 * A push stream: calls `onValue` with each arriving value, without a promise for each, which an async iterable would
 * need. Settles at the end or when the reader stops. It drops the rest then, and also when `onValue` throws.
 */
export type PushStream<T> = (onValue: OnValue<T>) => Promise<void>;

/** Returns whether the reader wants more. A promise means yes, and delays the next value until it settles. */
export type OnValue<T> = (value: T) => boolean | Promise<void>;

export function toPushStream<T>(values: AsyncIterable<T> | PushStream<T>): PushStream<T> {
  if (typeof values === 'function') return values;
  return async (onValue) => {
    for await (const value of values) {
      const wanted = onValue(value);
      if (wanted === false) return;
      await wanted;
    }
  };
}

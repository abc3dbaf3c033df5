/** Creates a value on first use, so that rarely used tables cost nothing at import. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

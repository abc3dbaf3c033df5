/** Made when it is first asked for. Tables that only a few need cost nothing then when the package is imported. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

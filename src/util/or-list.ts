/** Returns values as a person lists them: `"a", "b" or "c"`. */
export function orList(values: readonly string[]): string {
  const quoted = values.map((value) => `"${value}"`);
  return [quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].filter(Boolean).join(' or ');
}

/** A text as it is, anything else as JSON. */
export function plain(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export interface PatternCheck {
  readonly key: string;
  readonly pattern: string;
  readonly value: string;
}

/** Keys of the texts that do not fit, as JSON Schema means it: anywhere in the text, by characters. */
export function unfitting(checks: readonly PatternCheck[]): readonly string[] {
  return checks.filter(({ pattern, value }) => !new RegExp(pattern, 'u').test(value)).map(({ key }) => key);
}

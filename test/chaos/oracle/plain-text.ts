/** C0 but for tab and line break, DEL, and C1: what would change a terminal. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** What a text that a person reads must not hold. */
export function controlIn(text: string): string | undefined {
  const found = CONTROL.exec(text)?.[0];
  return found === undefined ? undefined : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Half a pair of surrogates: legal in JSON, but no Unicode text. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** In a JSON text half a pair is written out; so may be one that was quoted. */
export function mayHoldHalves(json: string): boolean {
  return json.includes('\\ud') || !isWellFormed(json);
}

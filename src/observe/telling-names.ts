/** What opens doors; `…-tokens` only counts, and `www-authenticate` says what is wanted. */
const HEADER =
  /^(?!www-authenticate$).*(?:auth|cookie|token(?!s)|secret|passw|passphrase|credential|jwt|signature|(?:[-_]|^)(?:pass|session)$|key$)/i;

/** In words joined by `_`. Counts (`max_output_tokens`) and names of caches (`prompt_cache_key`) are none. */
const FIELD = new RegExp(
  [
    '(?:secrets?|token|passwords?|passphrase|authorization|credentials?)$',
    '(?:^|_)(?:encrypted_content|thought_signature|auth|cookies?|jwt|pwd|passwd)$',
    '(?:api|access|private|secret|signing|subscription|account|encryption|functions)_?keys?$',
  ].join('|'),
);
const PARAMETER = /^(?:sid|sig|code|pass)$|(?:^|_)key$|signature$/;

export function isTellingHeader(name: string): boolean {
  return HEADER.test(name);
}

/** A member of a body whose value is a credential or sealed. */
export function isTellingField(name: string): boolean {
  return FIELD.test(inWords(name));
}

/** A parameter of a URL's query. */
export function isTellingParameter(name: string): boolean {
  const words = inWords(name);
  return PARAMETER.test(words) || FIELD.test(words);
}

/** `accessToken`, `access-token` and `ACCESS_TOKEN` are the same name. */
function inWords(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^a-z\d]+/gi, '_')
    .toLowerCase();
}

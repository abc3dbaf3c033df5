/**
 * The marks of secrets: names of headers, members, parameters and settings of a tool server, and the forms of values
 * and texts. The only place for all of them.
 */

/** Headers with credentials. `…-tokens` are counts, and `www-authenticate` is a demand. */
const HEADER =
  /^(?!www-authenticate$).*(?:auth|cookie|token(?!s)|secret|passw|passphrase|credential|jwt|signature|(?:[-_]|^)(?:pass|session)$|key$)/i;

/**
 * Members in words joined by `_`. Counts (`max_output_tokens`) and names of caches (`prompt_cache_key`) do not match.
 */
const FIELD = new RegExp(
  [
    '(?:secrets?|token|passwords?|passphrase|authorization|credentials?)$',
    '(?:^|_)(?:encrypted_content|thought_signature|auth|cookies?|jwt|pwd|passwd)$',
    '(?:api|access|private|secret|signing|subscription|account|encryption|functions)_?keys?$',
  ].join('|'),
);
const PARAMETER = /^(?:sid|sig|code|pass)$|(?:^|_)key$|signature$/;

/** Cached answers, because requests repeat a few names and are searched before their first answer is shown. */
const TELLING_HEADERS = new Map<string, boolean>();
export const TELLING_FIELDS = new Map<string, boolean>();
const MAX_NAMES = 1_000;
const MAX_NAME_CHARS = 64;

export function isTellingHeader(name: string): boolean {
  return TELLING_HEADERS.get(name) ?? remembered(TELLING_HEADERS, name, HEADER.test(name));
}

/** A member of a body whose value is a credential or sealed. */
export function isTellingField(name: string): boolean {
  return TELLING_FIELDS.get(name) ?? remembered(TELLING_FIELDS, name, FIELD.test(inWords(name)));
}

function remembered(known: Map<string, boolean>, name: string, answer: boolean): boolean {
  if (name.length <= MAX_NAME_CHARS && known.size < MAX_NAMES) known.set(name, answer);
  return answer;
}

/** A parameter of a URL's query. */
export function isTellingParameter(name: string): boolean {
  return PARAMETER.test(inWords(name)) || isTellingField(name);
}

/** `accessToken`, `access-token` and `ACCESS_TOKEN` are the same name. */
function inWords(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^a-z\d]+/gi, '_')
    .toLowerCase();
}

/** Environment variables and arguments of a command. More names count, because users choose them freely. */
const SETTING = /key|token|secret|pass|auth|credential/i;

export function isTellingSetting(name: string): boolean {
  return SETTING.test(name);
}

const KEY = /^(sk|pk|gh[pousr]|github_pat|xox[a-z]|glpat|eyJ)[-_A-Za-z0-9]{8,}/;

/** A value with the form of a key or token, under any name. */
export function looksSecret(value: string): boolean {
  return KEY.test(value);
}

const IN_TEXTS = [
  // In JSON, and in JSON within JSON.
  /encrypted_?content\\*"\s*:\s*\\*"([^"\\]+)/gi,
  /\b(?:Bearer|Basic)\s+([\w.~+/=-]{8,})/gi,
  /\b(sk-[\w-]{8,})/g,
];

/** Sealed reasoning, keys and tokens in a text, by their form, for foreign texts with secrets unknown to us. */
export function secretsInText(text: string): string[] {
  return IN_TEXTS.flatMap((look) => [...text.matchAll(look)].flatMap(([, secret]) => secret ?? []));
}

const KEY = /^(sk|pk|gh[pousr]|github_pat|xox[a-z]|glpat|eyJ)[-_A-Za-z0-9]{8,}/;

/** A value that is a key or token by its looks, whatever it is called. */
export function looksSecret(value: string): boolean {
  return KEY.test(value);
}

const IN_TEXTS = [
  // In JSON, and in JSON within JSON.
  /encrypted_?content\\*"\s*:\s*\\*"([^"\\]+)/gi,
  /\b(?:Bearer|Basic)\s+([\w.~+/=-]{8,})/gi,
  /\b(sk-[\w-]{8,})/g,
];

/** Sealed reasoning, keys and tokens in a text, known by their looks: for texts of others whose secrets we were not given. */
export function secretsInText(text: string): string[] {
  return IN_TEXTS.flatMap((look) => [...text.matchAll(look)].flatMap(([, secret]) => secret ?? []));
}

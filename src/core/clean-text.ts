declare const CLEAN: unique symbol;

/**
 * A text that holds no secret: our own words (`own`), or a text of others that a `Redactor` has cleaned where it came in.
 * Errors and what is made of them take nothing else, so that the compiler names each place that forgets.
 */
export type CleanText = string & { readonly [CLEAN]: true };

/**
 * A text of ours; what is put into it has to be clean.
 *
 * @example
 * own`${url} sent nothing for ${idleMs} ms (timeouts.idleMs).`
 */
export function own(texts: TemplateStringsArray, ...pieces: readonly (CleanText | number)[]): CleanText {
  return String.raw({ raw: texts }, ...pieces) as CleanText;
}

declare const CLEAN: unique symbol;

/** A text without secrets: what a `Redactor` returns. */
export type CleanText = string & { readonly [CLEAN]: true };

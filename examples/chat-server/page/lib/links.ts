const ALLOWED = new Set(['http:', 'https:', 'mailto:']);

/** The address of a link that may be followed, or nothing. */
export function safeLink(href: string | undefined): string | undefined {
  if (href === undefined) return undefined;
  try {
    const url = new URL(href);
    return ALLOWED.has(url.protocol) ? url.href : undefined;
  } catch {
    // Relative ones would lead into this page, where a model has nothing to link to.
    return undefined;
  }
}

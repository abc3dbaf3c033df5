import { isTellingParameter } from './secret-names.js';

/** The replacement of a secret. */
export const HIDDEN = '[redacted]';

/** Returns the URL without user info and without values of secret query parameters. */
export function redactUrl(url: string): string {
  if (!URL.canParse(url)) return redactPair(withoutUserInfo(url));
  const parsed = new URL(url);
  parsed.username = '';
  parsed.password = '';
  for (const name of new Set(parsed.searchParams.keys())) {
    if (isTellingParameter(name)) parsed.searchParams.set(name, HIDDEN);
  }
  parsed.hash = redactPair(parsed.hash);
  return parsed.toString();
}

/** Everything up to the last `@` may be a password. */
function withoutUserInfo(text: string): string {
  const start = /^(?:https?:[\\/]*|[a-z][a-z\d+.-]*:[\\/]{2}|[^:@]*?[\\/]{2})?/i.exec(text)?.[0] ?? '';
  const at = text.lastIndexOf('@');
  return at < start.length ? text : start + text.slice(at + 1);
}

/** `name=value` behind `?`, `&` or `#`, in texts that no parser takes apart. */
function redactPair(text: string): string {
  return text.replaceAll(/([?&#])([^=&#?]+)=[^&#]+/g, (pair, before: string, name: string) =>
    isTellingParameter(name) ? `${before}${name}=${HIDDEN}` : pair,
  );
}

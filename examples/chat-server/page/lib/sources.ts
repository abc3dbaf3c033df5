import type { ChatPart } from '../../src/types.js';

export interface Source {
  readonly url: string;
  readonly title: string;
  readonly host: string;
}

const MAX_SOURCES = 30;

/** Each page once, by web addresses only: a model or a server may cite anything. */
export function sourcesOf(parts: readonly ChatPart[]): readonly Source[] {
  const found = new Map<string, Source>();
  for (const part of parts) {
    if (part.type !== 'source-url' || !URL.canParse(part.url)) continue;
    const { protocol, href, host } = new URL(part.url);
    if (protocol !== 'http:' && protocol !== 'https:') continue;
    if (!found.has(href)) found.set(href, { url: href, host, title: part.title?.trim() || host });
  }
  return [...found.values()].slice(0, MAX_SOURCES);
}

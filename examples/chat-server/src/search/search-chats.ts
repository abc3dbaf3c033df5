import { searchWords } from 'responses-loop-example-shared/search-words.js';
import type { SessionFile } from '../types.js';
import type { ChatTexts } from './chat-texts.js';

export interface FoundChat {
  readonly session: SessionFile;
  /** Around the first word that was found in the messages; empty, if only the title has it. */
  readonly excerpt: string;
}

const MAX_WORDS = 8;
const [BEFORE, AFTER] = [50, 150];
/** Where a text was cut through a pair of surrogates. */
const HALF_PAIRS = /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g;

/** Chats that have all words, in title or messages, as a part of longer words too. Those with all words in the title come first. */
export async function searchChats(
  query: string,
  sessions: readonly SessionFile[],
  texts: ChatTexts,
): Promise<readonly FoundChat[]> {
  const words = wordsOf(query);
  texts.keepOnly(sessions);
  const [inTitle, inText]: [FoundChat[], FoundChat[]] = [[], []];
  // In the order in which they are listed, so that both lists keep it.
  for (const session of sessions) {
    const text = await texts.textOf(session);
    if (!words.every((word) => word.test(session.title) || word.test(text))) continue;
    const list = words.every((word) => word.test(session.title)) ? inTitle : inText;
    list.push({ session, excerpt: excerptOf(text, words) });
  }
  return [...inTitle, ...inText];
}

function wordsOf(query: string): RegExp[] {
  return searchWords(query)
    .slice(0, MAX_WORDS)
    .map((word) => new RegExp(word, 'iu'));
}

function excerptOf(text: string, words: readonly RegExp[]): string {
  const found = words.map((word) => text.search(word)).filter((at) => at !== -1);
  if (found.length === 0) return '';
  const at = Math.min(...found);
  const [from, to] = [Math.max(0, at - BEFORE), at + AFTER];
  const cut = text.slice(from, to).replace(HALF_PAIRS, '').replace(/\s+/gu, ' ').trim();
  return `${from > 0 ? '… ' : ''}${cut}${to < text.length ? ' …' : ''}`;
}

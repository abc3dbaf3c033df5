import { lineOf } from '../line-editor.js';
import type { Choice } from './menu.js';

const MOST = 50;

/** Texts that hold what is searched for, each once, in their order. */
export function searchChoices(texts: readonly string[], wanted: string): readonly Choice[] {
  const [words, found] = [wanted.toLowerCase(), new Set(texts)];
  return [...found]
    .filter((text) => text !== '' && text.toLowerCase().includes(words))
    .slice(0, MOST)
    .map((text) => ({ label: text, help: '', line: lineOf(text) }));
}

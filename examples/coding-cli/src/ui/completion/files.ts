import type { Line } from '../line-editor.js';
import type { Choice } from './menu.js';

const MOST = 50;

/** The word behind an `@` at the cursor. */
export function fileWord({ text, cursor }: Line): { readonly start: number; readonly word: string } | undefined {
  const before = text.slice(0, cursor);
  const start = before.lastIndexOf('@');
  if (start === -1 || (start > 0 && !/\s/.test(before[start - 1] ?? ''))) return undefined;
  const word = before.slice(start + 1);
  return /\s/.test(word) ? undefined : { start, word };
}

/** Files whose path holds the letters of the word in their order, the best first. */
export function fileChoices(line: Line, files: readonly string[]): readonly Choice[] {
  const found = fileWord(line);
  if (found === undefined) return [];
  const { start, word } = found;
  return files
    .flatMap((path) => {
      const score = scoreOf(path, word);
      return score === undefined ? [] : [{ path, score }];
    })
    .toSorted((one, other) => other.score - one.score || one.path.length - other.path.length)
    .slice(0, MOST)
    .map(({ path }) => {
      const written = `${/\s/.test(path) ? JSON.stringify(path) : path} `;
      const text = line.text.slice(0, start) + written + line.text.slice(line.cursor);
      return { label: path, help: '', line: { text, cursor: start + written.length } };
    });
}

/** Letters that begin a word or follow one another count more, and so do those of the name; `undefined`: one is missing. */
export function scoreOf(path: string, word: string): number | undefined {
  const [text, wanted] = [path.toLowerCase(), word.toLowerCase()];
  const name = text.lastIndexOf('/') + 1;
  const inName = text.indexOf(wanted, name);
  if (inName !== -1) return 1_000 - (inName - name);
  let [at, last, score] = [0, -2, 0];
  for (const letter of wanted) {
    const found = text.indexOf(letter, at);
    if (found === -1) return undefined;
    score += found === last + 1 ? 8 : 0;
    score += found === 0 || /[^a-z0-9]/.test(text[found - 1] ?? '') ? 6 : 0;
    score += found >= name ? 2 : 0;
    last = found;
    at = found + 1;
  }
  return score;
}

import ts from 'typescript';
import { expect, it } from 'vitest';
import { readSources } from './read-imports.js';

/** What newcomers stumble over in comments; CONTRIBUTING says how to write instead. Ceilings that may only go down. */
const DIALECT: Readonly<Record<string, readonly [words: RegExp, most: number]>> = {
  'says, said': [/\b(?:says?|said)\b/gi, 0],
  stands: [/\bstands?\b/gi, 2],
  holds: [/\bholds?\b/gi, 13],
  'whoever, nobody': [/\b(?:whoever|nobody)\b/gi, 0],
  'is none, has none': [/\b(?:is|has|are|have) none\b/gi, 7],
  'comes to': [/\b(?:comes?|came) to\b/gi, 0],
  bears: [/\bbears?\b/gi, 0],
  'where for if': [/[,;] where (?!\w+s? (?:is|are|was)\b)/gi, 0],
  'begins with What, One, Some, Those, It': [/^(?:What|One|Some|Those|It)\b/g, 58],
};

interface Comment {
  readonly place: string;
  readonly text: string;
}

/** Comments without their marks; lines that follow one another are one comment. */
function commentsOf(path: string, source: string): readonly Comment[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, source);
  const found: { place: string; text: string; end: number }[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind !== ts.SyntaxKind.SingleLineCommentTrivia && kind !== ts.SyntaxKind.MultiLineCommentTrivia) continue;
    const text = scanner
      .getTokenText()
      .replaceAll(/^\/\*+|\*\/$|^\/\/+/g, '')
      .replaceAll(/^\s*\* ?/gm, '')
      .trim();
    const line = source.slice(0, scanner.getTokenStart()).split('\n').length;
    const last = found.at(-1);
    const isNext = last !== undefined && /^\n *$/.test(source.slice(last.end, scanner.getTokenStart()));
    if (isNext) {
      last.text += ` ${text}`;
      last.end = scanner.getTokenEnd();
    } else found.push({ place: `${path}:${line}`, text, end: scanner.getTokenEnd() });
  }
  return found;
}

const comments = readSources('src').flatMap(({ path, text }) => commentsOf(path, text));

it.each(Object.entries(DIALECT))('comments of src use "%s" no more often than they did', (_name, [words, most]) => {
  const hits = comments.flatMap(({ place, text }) => (text.match(words) ?? []).map(() => place));
  const counts = new Map<string, number>();
  for (const place of hits) counts.set(place.split(':')[0] ?? '', (counts.get(place.split(':')[0] ?? '') ?? 0) + 1);
  const worst = [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 5)
    .map(([path, count]) => `${path} (${count})`);
  const message = `${hits.length} in comments of src, ${most} allowed; see "Comments" among the rules of CONTRIBUTING. Worst: ${worst.join(', ')}. First: ${hits.slice(0, 3).join(', ')}`;
  expect(hits.length, message).toBeLessThanOrEqual(most);
});

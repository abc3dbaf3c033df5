import type { Line } from './line-editor.js';
import { breaksOf, row, type Row, type Span } from './rows.js';
import { graphemesOf, widthOf } from './text-width.js';
import { plainText } from './plain-text.js';

export interface ComposerView {
  readonly line: Line;
  readonly columns: number;
  /** Rows it may have. */
  readonly limit: number;
  readonly prompt: string;
  readonly placeholder: string;
}

/** The input with its cursor; of a long one the rows around the cursor. */
export function composerRows({ line, columns, limit, prompt, placeholder }: ComposerView): Row[] {
  const hang = ' '.repeat(widthOf(prompt));
  const lead = (index: number): Span => (index === 0 ? { text: prompt, color: 'cyan', bold: true } : { text: hang });
  if (line.text === '') {
    const [first = ' ', ...rest] = graphemesOf(placeholder);
    return [[lead(0), { text: first, inverse: true }, { text: rest.join(''), dim: true }]];
  }
  const room = Math.max(4, columns - hang.length - 1);
  const { rows, cursorRow } = layOut(line, room);
  const start = Math.max(0, Math.min(cursorRow - limit + 1, rows.length - limit));
  return rows.slice(start, start + limit).map((spans, index) => [lead(start + index), ...spans]);
}

interface LaidOut {
  readonly rows: readonly Row[];
  readonly cursorRow: number;
}

function layOut({ text, cursor }: Line, room: number): LaidOut {
  const rows: Row[] = [];
  let [at, cursorRow] = [0, 0];
  for (const logical of text.split('\n')) {
    const starts = [0, ...breaksOf(shown(logical), room)];
    for (const [index, start] of starts.entries()) {
      const end = starts[index + 1] ?? logical.length;
      const isLast = index === starts.length - 1;
      const here = cursor - at;
      const hasCursor = here >= start && (here < end || (isLast && here === end));
      if (hasCursor) cursorRow = rows.length;
      rows.push(
        hasCursor ? withCursor(logical.slice(start, end), here - start) : row(shown(logical.slice(start, end))),
      );
    }
    at += logical.length + 1;
  }
  return { rows, cursorRow };
}

function withCursor(text: string, at: number): Row {
  const [under = ' '] = graphemesOf(text.slice(at));
  const spans = [
    { text: shown(text.slice(0, at)) },
    { text: shown(under), inverse: true },
    { text: shown(text.slice(at + under.length)) },
  ];
  return spans.filter((span) => span.text !== '');
}

/** As many characters as before, so that offsets hold. */
function shown(text: string): string {
  return text
    .replace(/\t/g, ' ')
    .replace(/[^\n]/gu, (character) => (plainText(character) === '' ? '·'.repeat(character.length) : character));
}

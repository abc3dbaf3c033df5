import type { IBuffer, IBufferCell } from '@xterm/headless';

const [CELL, LINE, SIZE, MARGIN] = [8.4, 18, 14, 16];
const INK = '#d6deeb';
const PAPER = '#10151f';
/** The first eight colours of a terminal, and their bright ones. */
const PALETTE = ['#5c6773', '#ff6b6b', '#8ccf7e', '#e5c76b', '#67b0e8', '#c47fd5', '#6cbfbf', '#d6deeb'] as const;

interface Options {
  readonly columns: number;
  readonly rows: number;
  /** What the picture shows, for who cannot see it. */
  readonly label: string;
}

interface Run {
  readonly x: number;
  readonly style: string;
  text: string;
  width: number;
}

/** What a terminal shows, as a picture: text as text, so that it can be read and searched. */
export function svgOf(buffer: IBuffer, { columns, rows, label }: Options): string {
  const lines = Array.from({ length: rows }, (_, y) => runsOf(buffer, buffer.baseY + y, columns));
  const last = lines.findLastIndex((runs) => runs.some(({ text }) => text.trim() !== ''));
  const shown = lines.slice(0, last + 1);
  const [width, height] = [columns * CELL + 2 * MARGIN, shown.length * LINE + 2 * MARGIN];
  const texts = shown.flatMap((runs, y) => runs.map((run) => textOf(run, y)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">`,
    `<rect width="100%" height="100%" rx="8" fill="${PAPER}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${SIZE}">`,
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Cells next to each other that look the same. */
function runsOf(buffer: IBuffer, y: number, columns: number): Run[] {
  const line = buffer.getLine(y);
  const runs: Run[] = [];
  for (let x = 0; x < columns; x += 1) {
    const cell = line?.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    const last = runs.at(-1);
    const text = cell.getChars() === '' ? ' ' : cell.getChars();
    if (last?.style === style && last.x + last.width === x) {
      last.text += text;
      last.width += cell.getWidth();
    } else runs.push({ x, style, text, width: cell.getWidth() });
  }
  return runs.map(withoutEdges).filter(({ text }) => text !== '');
}

/** Without the spaces at its ends, unless they are seen. All of them are one column wide. */
function withoutEdges(run: Run): Run {
  if (run.style.includes('inverse')) return run;
  const text = run.text.trimEnd();
  const inner = text.trimStart();
  const left = text.length - inner.length;
  return { ...run, x: run.x + left, text: inner, width: run.width - (run.text.length - inner.length) };
}

function styleOf(cell: IBufferCell): string {
  const isInverse = cell.isInverse() !== 0;
  const color = cell.isFgPalette() ? (PALETTE[cell.getFgColor() % 8] ?? INK) : INK;
  const parts = [`fill="${isInverse ? PAPER : color}"`];
  if (cell.isBold() !== 0) parts.push('font-weight="bold"');
  if (cell.isItalic() !== 0) parts.push('font-style="italic"');
  if (cell.isDim() !== 0) parts.push('fill-opacity="0.6"');
  if (isInverse) parts.push(`data-inverse="${color}"`);
  return parts.join(' ');
}

function textOf({ x, style, text, width }: Run, y: number): string {
  const [left, top] = [MARGIN + x * CELL, MARGIN + y * LINE];
  const paper = /data-inverse="([^"]+)"/.exec(style)?.[1];
  const box =
    paper === undefined
      ? ''
      : `<rect x="${round(left)}" y="${top}" width="${round(width * CELL)}" height="${LINE}" fill="${paper}"/>`;
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(' ', '\u00A0');
  const look = style.replace(/ ?data-inverse="[^"]+"/, '');
  return `${box}<text x="${round(left)}" y="${top + SIZE}" ${look} textLength="${round(width * CELL)}">${escaped}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

import type { Color, Row, Span } from './rows.js';

const ESC = '\u001B';
const RESET = `${ESC}[0m`;

/** The colours of the terminal's own theme. */
const COLORS: Readonly<Record<Color, number>> = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
  gray: 90,
};

const LOOKS = [
  ['bold', 1],
  ['dim', 2],
  ['italic', 3],
  ['inverse', 7],
  ['strike', 9],
] as const;

/** A row as the terminal takes it. Without colours bold, dim and inverse stay: they are no colours. */
export function ansiOf(spans: Row, hasColor: boolean): string {
  return spans.map((span) => ansiOfSpan(span, hasColor)).join('');
}

function ansiOfSpan(span: Span, hasColor: boolean): string {
  const { text, color, link } = span;
  if (text === '') return '';
  const codes: number[] = LOOKS.flatMap(([name, code]) => (span[name] === true ? [code] : []));
  if (hasColor && color !== undefined) codes.push(COLORS[color]);
  const shown = link === undefined ? text : `${linkTo(link)}${text}${linkTo('')}`;
  return codes.length === 0 ? shown : `${codes.map((code) => `${ESC}[${code}m`).join('')}${shown}${RESET}`;
}

/** Begins a link (OSC 8); without an address it ends one. */
function linkTo(address: string): string {
  return `${ESC}]8;;${address}\u0007`;
}

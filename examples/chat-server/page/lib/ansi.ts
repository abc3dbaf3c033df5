import Anser, { type AnserJsonEntry } from 'anser';

/** A run of text in one style, as the name of its classes. */
export interface AnsiPiece {
  readonly text: string;
  readonly classes: string;
}

/** The eight colours of every terminal. Others become the nearest of them, so that they are readable in both themes. */
const COLOURS: Readonly<Record<string, readonly [number, number, number]>> = {
  black: [0, 0, 0],
  red: [205, 0, 0],
  green: [0, 205, 0],
  yellow: [205, 205, 0],
  blue: [0, 0, 238],
  magenta: [205, 0, 205],
  cyan: [0, 205, 205],
  white: [229, 229, 229],
};
const STYLES = new Set(['bold', 'dim', 'italic', 'underline', 'strikethrough']);

const ESCAPE = '\u001B';
const BELL = '\u0007';
/** Behind the sign for an escape. What moves a cursor or clears a screen has no place in a text; colours stay. */
const COLOUR = /^\[[0-?]*m/;
const STRING = /^[\]PX^_]/;
const CONTROL = /^(?:\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])/;
const OTHERS = /[^\P{Cc}\t\n\r]/gu;

/** Output of a program with its colours, as a terminal shows it at the end: what a line was written over with counts. */
export function ansiPieces(output: string): readonly AnsiPiece[] {
  const text = withColoursAlone(output).split('\n').map(lastOf).join('\n');
  return Anser.ansiToJson(text, { use_classes: true, json: true, remove_empty: true }).map((entry) => ({
    text: entry.content.replaceAll(ESCAPE, ''),
    classes: classesOf(entry),
  }));
}

function withColoursAlone(output: string): string {
  const [first = '', ...others] = output.split(ESCAPE);
  return first.replaceAll(OTHERS, '') + others.map(afterEscape).join('');
}

function afterEscape(text: string): string {
  if (COLOUR.test(text)) return ESCAPE + text.replaceAll(OTHERS, '');
  // Titles, links and the like end with BEL, or with the next escape.
  const end = STRING.test(text) ? text.indexOf(BELL) : undefined;
  const rest = end === undefined ? text.replace(CONTROL, '') : end === -1 ? '' : text.slice(end + 1);
  return rest.replaceAll(OTHERS, '');
}

/** Of a line that began again and again, such as a bar of progress, what was written last; colours before it go on. */
function lastOf(line: string): string {
  const tries = line.split('\r');
  const at = tries.findLastIndex(hasText);
  if (at <= 0) return tries[0] ?? '';
  return tries.map((text, place) => (place === at ? text : coloursOf(text))).join('');
}

function hasText(text: string): boolean {
  const [first, ...others] = text.split(ESCAPE);
  return first !== '' || others.some((other) => !other.endsWith('m') || other.indexOf('m') < other.length - 1);
}

function coloursOf(text: string): string {
  const [, ...others] = text.split(ESCAPE);
  return others.map((other) => `${ESCAPE}${other.slice(0, other.indexOf('m') + 1)}`).join('');
}

function classesOf(entry: AnserJsonEntry): string {
  const styles: readonly string[] = entry.decorations.filter((style) => STYLES.has(style));
  const [ink, paper] = [colourOf(entry.fg, entry.fg_truecolor), colourOf(entry.bg, entry.bg_truecolor)];
  const colours = [
    ...(ink === undefined || paper !== undefined ? [] : [`ink-${ink}`]),
    ...(paper === undefined ? [] : [`paper-${paper}`]),
  ];
  return [...styles, ...colours].map((name) => `ansi-${name}`).join(' ');
}

function colourOf(name: string | null, rgb: string | null): string | undefined {
  if (name === null) return undefined;
  const [, palette] = /^ansi-palette-(\d{1,3})$/.exec(name) ?? [];
  if (name === 'ansi-truecolor') return nearest((rgb ?? '').split(',').map(Number));
  if (palette !== undefined) return nearest(rgbOf(Number(palette)));
  const plain = name.replace(/^ansi-(?:bright-)?/, '');
  return Object.hasOwn(COLOURS, plain) ? plain : undefined;
}

/** Of the 256 colours: 16 of the terminal, a cube of 6 by 6 by 6, and 24 greys. */
function rgbOf(index: number): readonly number[] {
  if (index < 16) return Object.values(COLOURS)[index % 8] ?? [];
  if (index >= 232) return Array.from({ length: 3 }, () => (index - 232) * 10 + 8);
  const at = index - 16;
  return [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => step * 51);
}

function nearest(rgb: readonly number[]): string {
  const distance = ([, other]: readonly [string, readonly number[]]): number =>
    other.reduce((sum, value, at) => sum + (value - (rgb[at] ?? 0)) ** 2, 0);
  const [first] = Object.entries(COLOURS).toSorted((one, other) => distance(one) - distance(other));
  return first?.[0] ?? 'white';
}

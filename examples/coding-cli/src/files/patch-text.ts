import { ToolError } from '../tools/context.js';
import { nearestMatch } from './nearest-match.js';
import type { PatchPart } from './parse-patch.js';

/**
 * Applies the parts of a patch to a text, each behind the one before it. Lines that stay keep their line ends; new ones get
 * those of the file. Nothing is matched loosely.
 *
 * @throws ToolError with the nearest place and what differs there.
 */
export function patchText(text: string, parts: readonly PatchPart[], name: string): string {
  const lines = text.split('\n');
  const plain = lines.map((line) => line.replace(/\r$/, ''));
  const end = isMostlyCrlf(lines) ? '\r' : '';
  const result: string[] = [];
  let from = 0;
  for (const part of parts) {
    if (part.lines.length === 0) continue;
    const start = placeOf(part, { plain, from, name });
    result.push(...lines.slice(from, start));
    from = start;
    for (const { kind, text: added } of part.lines) {
      if (kind === 'added') result.push(`${added}${end}`);
      else {
        if (kind === 'same') result.push(lines[from] ?? '');
        from += 1;
      }
    }
  }
  return [...result, ...lines.slice(from)].join('\n');
}

interface Where {
  readonly plain: readonly string[];
  readonly from: number;
  readonly name: string;
}

function placeOf({ anchors, lines, isEnd }: PatchPart, { plain, from, name }: Where): number {
  let start = from;
  for (const anchor of anchors.filter((each) => each !== '')) {
    const found = plain.findIndex((line, at) => at >= start && (line === anchor || line.trim() === anchor.trim()));
    if (found === -1) throw new ToolError(`"@@ ${anchor}" is not in ${name}${behind(start)}. Nothing was changed.`);
    start = found + 1;
  }
  const wanted = lines.flatMap(({ kind, text }) => (kind === 'added' ? [] : [text]));
  if (wanted.length === 0) return isEnd || anchors.every((each) => each === '') ? lastLine(plain) : start;
  const places = placesOf(plain, wanted, start).filter((at) => !isEnd || at + wanted.length >= lastLine(plain));
  const [place] = places;
  if (place === undefined)
    throw new ToolError(
      `Lines of the patch are not in ${name}${behind(start)}. Nothing was changed. ${nearestMatch(plain.join('\n'), wanted.join('\n'))}`,
    );
  // Behind an anchor the first one is meant.
  if (places.length > 1 && anchors.every((each) => each === '')) {
    const numbers = places.slice(0, 20).map((at) => at + 1);
    throw new ToolError(
      `Lines of the patch are in ${name} ${places.length} times, at the lines ${numbers.join(', ')}. Nothing was changed: give more lines around them, or "@@" and a line before them.`,
    );
  }
  return place;
}

function placesOf(plain: readonly string[], wanted: readonly string[], from: number): number[] {
  const places: number[] = [];
  for (let at = from; at + wanted.length <= lastLine(plain); at += 1)
    if (wanted.every((line, index) => plain[at + index] === line)) places.push(at);
  return places;
}

/** The line end at the end of a file makes an empty last line. */
function lastLine(plain: readonly string[]): number {
  return plain.at(-1) === '' ? plain.length - 1 : plain.length;
}

function behind(start: number): string {
  return start === 0 ? '' : ` behind line ${start}`;
}

function isMostlyCrlf(lines: readonly string[]): boolean {
  return lines.filter((line) => line.endsWith('\r')).length * 2 > lines.length - 1;
}

import { stripVTControlCharacters } from 'node:util';
import { trimLetters } from 'responses-loop-example-shared/trim-end.js';

/**
 * Everything a terminal acts on or a reader cannot see: control characters but tab and newline, marks that turn the
 * direction of text, zero-width characters but the joiners that emoji and scripts need, tags, and halves of surrogate pairs.
 */
const UNPRINTABLE =
  /(?!\n)[\p{Cc}\p{Cs}\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

const TAB = '    ';

/** Text of a model, a tool or a file as it may be shown: no escape sequence and no control character is left in it. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\u2028\u2029]/g, '\n')
    .split('\n')
    .map(asOverwritten)
    .join('\n')
    .replace(/\t/g, TAB)
    .replace(UNPRINTABLE, '');
}

/** Of a line that a progress bar has written again and again, what was written last. */
function asOverwritten(line: string): string {
  const text = trimLetters(line, '\r');
  return text.slice(text.lastIndexOf('\r') + 1);
}

/** Pasted text as it is sent: as above, but with its tabs. */
export function pastedText(text: string): string {
  return text.split('\t').map(plainText).join('\t');
}

/** The same on one line. */
export function plainLine(text: string): string {
  return inOneLine(plainText(text));
}

/** Its lines in a row, with a blank between them. */
export function inOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

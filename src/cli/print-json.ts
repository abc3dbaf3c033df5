import { showControls } from '../util/control-characters.js';

/** Prints a value as JSON without control characters for the terminal; a parser reads the same value. */
export function printJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2).replaceAll(/[^\n -~]/gu, escapeControl)}\n`;
}

/** `JSON.stringify` escapes no character beyond ASCII. */
function escapeControl(character: string): string {
  if (showControls(character) === character) return character;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

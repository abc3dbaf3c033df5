import { showControls } from '../util/control-characters.js';

/** A value as JSON in which no character of somebody else's gives orders to a terminal; a parser reads what was there. */
export function printJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2).replaceAll(/[^\n -~]/gu, escapeControl)}\n`;
}

/** `JSON.stringify` escapes none beyond ASCII. */
function escapeControl(character: string): string {
  if (showControls(character) === character) return character;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

import type { Deltas } from './output-description.js';

/** Longest piece of a function call's arguments; short, so that a call takes several events. */
const ARGUMENT_PIECE = 8;

/** Word by word, the space in front of its word, as models write. Nothing for an empty text. */
export function textDeltas(text: Deltas): readonly string[] {
  return typeof text === 'string' ? (text.match(/\s*\S+|\s+$/gu) ?? []) : text;
}

/** A few characters at a time; no character is cut in two. */
export function argumentDeltas(text: Deltas): readonly string[] {
  if (typeof text !== 'string') return text;
  const characters = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += ARGUMENT_PIECE) {
    pieces.push(characters.slice(at, at + ARGUMENT_PIECE).join(''));
  }
  return pieces;
}

import { searchWords } from 'responses-loop-example-shared/search-words.js';

export interface Piece {
  readonly text: string;
  readonly isFound: boolean;
}

/** A text in pieces: those that a search was for, and what is between them. */
export function markWords(text: string, query: string): readonly Piece[] {
  const words = searchWords(query);
  if (words.length === 0) return [{ text, isFound: false }];
  const any = words.join('|');
  // What is in a group comes at every second place.
  return text
    .split(new RegExp(`(${any})`, 'iu'))
    .map((piece, at) => ({ text: piece, isFound: at % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

export interface Piece {
  readonly text: string;
  readonly isFound: boolean;
}

/** A text in pieces: those that a search was for, and what is between them. */
export function markWords(text: string, query: string): readonly Piece[] {
  const words = query.split(/\s+/u).filter((word) => word !== '');
  if (words.length === 0) return [{ text, isFound: false }];
  const any = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  // What is in a group comes at every second place.
  return text
    .split(new RegExp(`(${any})`, 'iu'))
    .map((piece, at) => ({ text: piece, isFound: at % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/** Without letters of a list at the end: in one pass, which an expression such as `/[ab]+$/` does not take. */
export function trimLetters(text: string, letters: string): string {
  let end = text.length;
  while (end > 0 && letters.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

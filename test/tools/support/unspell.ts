/** Reads what `spellText` wrote. Its own few lines, so that the tests do not believe the code about itself. */
export function unspell(text: string): string {
  return text
    .replace(/⇥/g, '\t')
    .replace(/␍/g, '\r')
    .replace(/⟨U\+([0-9A-F]{4,6})(?:×(\d+))?⟩/g, (_, code: string, count = '1') =>
      String.fromCodePoint(Number.parseInt(code, 16)).repeat(Number(count)),
    );
}

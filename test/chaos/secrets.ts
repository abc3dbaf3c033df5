/**
 * Secrets of which every eight characters can be known again, whichever secret they are from: `Zq` comes back every fourth
 * character, and nothing else that is sent looks like that.
 */
const LETTERS = '0123456789abcdefghijklmnoprstuvwxy';

export function secretOf(number: number): string {
  let text = '';
  for (let block = 0; block < 10; block += 1) {
    const mixed = Math.imul(number * 10 + block + 1, 0x9e3779b1) >>> 0;
    text += `Zq${LETTERS[mixed % LETTERS.length]}${LETTERS[(mixed >>> 8) % LETTERS.length]}`;
  }
  return text;
}

/** Planted, and searched for in everything that comes out. */
export const API_KEY = `sk-proj-${secretOf(90_002)}`;
export const MCP_TOKEN = `mcp-${secretOf(90_003)}`;
export const SEALED = 'SEALED-REASONING';

/** Eight characters in a row of a secret, in any case: names of headers lose it. */
const EIGHT = /zq\w\wzq\w\w|q\w\wzq\w\wz|\w\wzq\w\wzq|\wzq\w\wzq\w/i;

export function leakIn(text: string): string | undefined {
  return EIGHT.exec(text)?.[0];
}

/** Where the first secret begins, or -1. */
export function secretPlace(text: string): number {
  return text.search(/zq\w\wzq\w\w/i);
}

/** How servers repeat a key in an error. */
export function echoed(): string {
  return `Incorrect API key provided: ${API_KEY}.`;
}

import type { Terminal } from './command.js';

/** Codes of ANSI terminals. */
export const COLOURS = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36, grey: 90 } as const;

export type Paint = (text: string, colour: keyof typeof COLOURS) => string;

/** Returns colors for a terminal, unless the user turned them off (https://no-color.org). */
export function painter({ isTTY }: Terminal['stdout'], env: Terminal['env']): Paint {
  if (isTTY !== true || env['NO_COLOR']) return (text) => text;
  return (text, colour) => (text === '' ? text : `\u001b[${COLOURS[colour]}m${text}\u001b[0m`);
}

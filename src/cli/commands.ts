import type { Command } from './command.js';

interface Row {
  readonly summary: string;
  /** Each in a file of its own: asking for help opens none of them. */
  readonly load: () => Promise<Command>;
}

export const COMMANDS: Readonly<Record<string, Row>> = {
  timeline: {
    summary: 'a page of what recordEvents kept: calls, rounds, tools and tokens over time',
    load: async () => (await import('./timeline/timeline.js')).timeline,
  },
};

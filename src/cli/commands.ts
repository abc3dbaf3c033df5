import type { Command } from './command.js';

interface Row {
  readonly summary: string;
  /** Loads one command's file, so that `--help` loads none. */
  readonly load: () => Promise<Command>;
}

export const COMMANDS: Readonly<Record<string, Row>> = {
  chat: {
    summary: 'talks to a model, with the tools of MCP servers',
    load: async () => (await import('./chat/chat.js')).chat,
  },
  doctor: {
    summary: 'asks a server for one thing after the other, and says which settings fit',
    load: async () => (await import('./doctor/doctor.js')).doctor,
  },
  mcp: {
    summary: 'lists the tools of MCP servers as a model sees them',
    load: async () => (await import('./mcp/mcp.js')).mcp,
  },
  replay: {
    summary: 'plays recorded calls again, with another model too; tools are answered from the record',
    load: async () => (await import('./replay/replay.js')).replay,
  },
  timeline: {
    summary: 'a page of what recordEvents kept: calls, rounds, tools and tokens over time',
    load: async () => (await import('./timeline/timeline.js')).timeline,
  },
};

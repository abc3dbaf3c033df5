import type { Command } from './command.js';

interface Row {
  readonly summary: string;
  /** Loads one command's file, so that `--help` loads none. */
  readonly load: () => Promise<Command>;
}

export const COMMANDS: Readonly<Record<string, Row>> = {
  chat: {
    summary: 'talk to a model, with the tools of your MCP servers',
    load: async () => (await import('./chat/chat.js')).chat,
  },
  doctor: {
    summary: 'test a server feature by feature, and recommend settings',
    load: async () => (await import('./doctor/doctor.js')).doctor,
  },
  mcp: {
    summary: 'list the tools of MCP servers as a model sees them',
    load: async () => (await import('./mcp/mcp.js')).mcp,
  },
  replay: {
    summary: 'replay recorded calls, also with another model; no tool runs',
    load: async () => (await import('./replay/replay.js')).replay,
  },
  timeline: {
    summary: 'render recorded events as a page: calls, rounds, tools and tokens over time',
    load: async () => (await import('./timeline/timeline.js')).timeline,
  },
};

import type { Engine } from '../engine/engine.js';
import type { Line } from './line-editor.js';

export interface ScreenSession {
  readonly engine: Engine;
}

/** A session that may go on. */
export interface PastSession {
  readonly id: string;
  readonly title: string;
  readonly turns: number;
}

export interface SessionChange {
  readonly model?: string | undefined;
  /** Id of the session that goes on. */
  readonly resume?: string | undefined;
  /** Goes on with what this session was before this turn, as another session. */
  readonly beforeTurn?: number | undefined;
  /** What is in the input then. */
  readonly line?: Line | undefined;
}

export interface InteractiveOptions {
  readonly session: ScreenSession;
  /** In the input at first. */
  readonly line?: string | undefined;
  /** Said at once. */
  readonly prompt?: string | undefined;
  /** Whether colours are wanted: `--no-color` and `NO_COLOR` say no. */
  readonly color: boolean;
  /** Sessions of this folder, the newest first. */
  sessions(): readonly PastSession[];
  /** Signs in at an MCP server; `say` tells which page to open. Resolves with what became of it, in words. */
  signIn(server: string, how: { readonly say: (text: string) => void; readonly signal: AbortSignal }): Promise<string>;
  /** Forgets its tokens. */
  signOut(server: string): Promise<string>;
  /** For `/new`, `/resume ID`, and `/model NAME`, where the conversation goes on. The engine before is closed already. */
  openAnother(change: SessionChange): Promise<ScreenSession>;
}

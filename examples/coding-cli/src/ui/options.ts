import type { Engine } from '../engine/engine.js';
import type { EventMessage } from '../protocol/events.js';

/** A session as the screen needs it. */
export interface ScreenSession {
  readonly engine: Engine;
  /** Who answers, in words, as `OpenedModel.label`. */
  readonly label: string;
  /** What was said and done before, of a session that goes on: `user_message`, `agent_message`, `tool_execution_end` and so on. */
  readonly history: readonly EventMessage[];
  /** The rules that allow something here, as text; for `/permissions`. */
  rules(): readonly ShownRule[];
  /** Takes a rule back; false, if there is none of this text. */
  removeRule(text: string): boolean | Promise<boolean>;
}

export interface ShownRule {
  readonly text: string;
  /** For this session, for this folder for good, or of a flag or a setting. */
  readonly scope: 'session' | 'always' | 'settings';
}

export interface InteractiveOptions {
  readonly session: ScreenSession;
  /** Said at once. */
  readonly prompt?: string | undefined;
  /** Whether colours are wanted: `--no-color` and `NO_COLOR` say no. */
  readonly color: boolean;
  /** For `/new` and `/model NAME`, after the session before was closed. */
  openAnother(change: { readonly model?: string | undefined }): Promise<ScreenSession>;
}

import type { Engine } from '../engine/engine.js';

export interface ScreenSession {
  readonly engine: Engine;
}

export interface InteractiveOptions {
  readonly session: ScreenSession;
  /** Said at once. */
  readonly prompt?: string | undefined;
  /** Whether colours are wanted: `--no-color` and `NO_COLOR` say no. */
  readonly color: boolean;
  /** For `/new`, and for `/model NAME`, where the conversation goes on. The engine before is closed already. */
  openAnother(change: { readonly model?: string | undefined }): Promise<ScreenSession>;
}

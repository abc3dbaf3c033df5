import type { Engine } from '../engine/engine.js';

export interface InteractiveOptions {
  readonly engine: Engine;
  /** Said at once. */
  readonly prompt?: string | undefined;
  /** Whether colours are wanted: `--no-color` and `NO_COLOR` say no. */
  readonly color: boolean;
  /** A new session, for `/new` and `/model NAME`; the one before is closed. */
  openAnother(change: { readonly model?: string | undefined }): Promise<Engine>;
}

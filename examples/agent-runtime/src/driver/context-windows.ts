import { ContextWindow, type ContextWindowOptions } from 'responses-loop-example-shared/context-window.js';

export type WindowSettings = Pick<ContextWindowOptions, 'set' | 'server'> & { readonly compactAt?: number | undefined };

/** Percent of a window at which a session is made shorter. */
const COMPACT_AT = 80;

/** How much each model takes. */
export class ContextWindows {
  readonly #settings: WindowSettings;
  readonly #windows = new Map<string, ContextWindow>();

  constructor(settings: WindowSettings) {
    this.#settings = settings;
  }

  of(model: string): ContextWindow {
    const known = this.#windows.get(model);
    if (known !== undefined) return known;
    const { set, server, compactAt = COMPACT_AT } = this.#settings;
    const window = new ContextWindow({ set, server, compactAt, model });
    this.#windows.set(model, window);
    return window;
  }

  readonly isLong = (tokens: number, model = ''): Promise<boolean> => this.of(model).isFull(tokens);
}

import { SettingsError } from '../settings-error.js';

const TIMEOUT_MS = 5_000;
/** The workflow runs. */
const NOT_READY = 470;

interface Answer {
  readonly status: number;
  readonly message: string;
  /** Whether a workflow failed, or Restate could not ask it. */
  readonly source: unknown;
}

/** The ingress of Restate, for one service. */
export class RestateIngress {
  readonly service: string;
  readonly #url: string;

  constructor(url: string, service: string) {
    this.#url = url;
    this.service = service;
  }

  /** Whether it can be reached. */
  async check(): Promise<void> {
    try {
      const { status } = await this.#ask('GET', 'restate/health');
      if (status !== 200) throw new Error(`it answers ${status}`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new SettingsError(`The ingress of Restate at ${this.#url} cannot be used: ${why}.`, { cause: error });
    }
  }

  /** Twice is once. */
  async begin(turn: string): Promise<void> {
    const { status, message } = await this.#ask('POST', `${this.#path(turn)}/run/send`);
    if (status !== 200 && status !== 202) throw new Error(`Restate does not begin a turn: ${message}`);
  }

  async stateOf(turn: string): Promise<'unknown' | 'runs' | 'over'> {
    const { status, message, source } = await this.#ask('GET', `restate/workflow/${this.#path(turn)}/output`);
    if (status === 404) return 'unknown';
    if (status === NOT_READY) return 'runs';
    if (status === 200 || source === 'invocation') return 'over';
    throw new Error(`Restate does not tell the state of a turn: ${message}`);
  }

  #path(turn: string): string {
    return `${this.service}/${encodeURIComponent(turn)}`;
  }

  async #ask(method: string, path: string): Promise<Answer> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${this.#url}/${path}`, { method, signal, redirect: 'error' });
    const body: unknown = await response.json().catch(() => undefined);
    const { message, source } = (body ?? {}) as { readonly message?: unknown; readonly source?: unknown };
    const said = typeof message === 'string' ? message : response.statusText;
    return { status: response.status, message: said, source };
  }
}

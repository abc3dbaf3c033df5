import type { ApiError } from '../errors/api-error.js';
import { exchangeLimitReached } from '../errors/limit-reached.js';

/** The requests that one round may cost, whatever they are for: the first, retries, other keys, without what was refused. */
export class RequestBudget {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A request goes out. */
  spend(): void {
    this.#spent += 1;
  }

  /** Throws if no request may follow the one that failed; its facts stay visible, since they say why it was repeated. */
  allowAnother(failed: ApiError): void {
    if (this.#spent < this.#limit) return;
    const what = `A round may take ${this.#limit} requests, and the last one failed too: ${failed.message}`;
    const limit = { name: 'limits.requestsPerRound', value: this.#limit };
    throw exchangeLimitReached({ ...failed.facts, cause: failed }, what.replace(/\.$/, ''), limit);
  }
}

import { randomBytes } from 'node:crypto';
import type { McpAppResource } from 'responses-loop/v3';
import { appPolicy } from './app-policy.js';

interface KeptPage {
  readonly html: string;
  readonly policy: string;
  readonly until: number;
}

const SECONDS = 1_000;
/** A frame asks for its page at once. */
export const PAGE_LASTS_MS = 30 * SECONDS;
const MAX_PAGES = 50;

/**
 * Pages of apps on their way to a frame. A frame cannot send the token, so that its address is the secret: of 128 bits, for one
 * request, for half a minute.
 */
export class AppPages {
  readonly #pages = new Map<string, KeptPage>();

  /** The name that its address has. */
  keep({ html, csp }: Pick<McpAppResource, 'html' | 'csp'>, now = Date.now()): string {
    for (const [name, { until }] of this.#pages) if (until <= now) this.#pages.delete(name);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size >= MAX_PAGES && oldest !== undefined) this.#pages.delete(oldest);
    const name = randomBytes(16).toString('hex');
    this.#pages.set(name, { html, policy: appPolicy(csp), until: now + PAGE_LASTS_MS });
    return name;
  }

  take(name: string, now = Date.now()): Omit<KeptPage, 'until'> | undefined {
    const page = this.#pages.get(name);
    this.#pages.delete(name);
    return page !== undefined && page.until > now ? page : undefined;
  }
}

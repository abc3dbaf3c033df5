/** Answers to an upgrade that will not change: there is no such route, or none for sockets. Pages come with a 200. */
const FOR_GOOD: ReadonlySet<number | undefined> = new Set([200, 404, 405, 426, 501]);
/** What they say is about the key or the moment: the request over HTTP finds out, with its retries and other keys. */
const NOT_THE_SOCKETS: ReadonlySet<number | undefined> = new Set([401, 403, 429]);

const FIRST_REST_MS = 5 * 60_000;
const LATER_REST_MS = 30 * 60_000;

/** Where no socket could be opened: nobody waits for one there again, for a while or for good. */
export class RefusedHosts {
  readonly #until = new Map<string, number>();

  has(url: string): boolean {
    return Date.now() < (this.#until.get(hostOf(url)) ?? 0);
  }

  add(url: string, status: number | undefined): void {
    if (NOT_THE_SOCKETS.has(status) || (status !== undefined && status >= 500 && status !== 501)) return;
    const host = hostOf(url);
    const rest = this.#until.has(host) ? LATER_REST_MS : FIRST_REST_MS;
    this.#until.set(host, FOR_GOOD.has(status) ? Number.POSITIVE_INFINITY : Date.now() + rest);
  }
}

function hostOf(url: string): string {
  return new URL(url).host;
}

import type { EventData } from '../protocol/events.js';

export type WebSource = EventData<'sources'>['sources'][number];

/** Pages that an answer is based on, each once, in the order in which they were named. */
export class Sources {
  readonly #byUrl = new Map<string, WebSource>();

  add({ url, title }: WebSource): void {
    const known = this.#byUrl.get(url);
    this.#byUrl.set(url, title === undefined || title === '' ? (known ?? { url }) : { url, title });
  }

  get all(): WebSource[] {
    return [...this.#byUrl.values()];
  }
}

/** As lines below an answer. */
export function linesOfSources(sources: readonly WebSource[]): string[] {
  return ['Sources:', ...sources.map(({ url, title }) => (title === undefined ? `- ${url}` : `- ${title}: ${url}`))];
}

import type { DriverStreamEvent } from '../../src/index.js';

/** All events of a turn or an answer. */
export async function collect(
  events: AsyncIterable<DriverStreamEvent> | readonly DriverStreamEvent[],
): Promise<DriverStreamEvent[]> {
  const all: DriverStreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export const typesOf = (events: readonly DriverStreamEvent[]): string[] => events.map(({ type }) => type);

export const textOf = (events: readonly DriverStreamEvent[]): string =>
  events.map((event) => (event.type === 'text_delta' ? event.data.text : '')).join('');

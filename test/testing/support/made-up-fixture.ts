import type { Fixture } from '../../../src/testing.js';

/** One round that was asked `request`. */
export function fixture(
  request: Fixture['rounds'][number]['request'],
  changes: Partial<Fixture['rounds'][number]> = {},
): Fixture {
  const body = new TextEncoder().encode('{"id":"resp_1"}');
  const round = { status: 200, headers: {}, ending: 'end', request, body, kind: 'json', ...changes } as const;
  const meta = {
    name: 'made-up',
    title: 't',
    origin: 'hand-written',
    source: 's',
    date: '2026-11-21',
    notes: 'n',
  } as const;
  return { meta: { ...meta, rounds: [round] }, rounds: [round] };
}

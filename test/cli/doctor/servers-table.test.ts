import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readKept, tableOf, withTable } from './servers/table.js';

const page = readFileSync(new URL('../../../docs/tested-servers.md', import.meta.url), 'utf8');

describe('the table of servers in docs/tested-servers.md', () => {
  it('says what doctor saw, and nothing else', () => {
    expect(readKept().length).toBeGreaterThan(3);
    expect(withTable(page, tableOf(readKept()))).toBe(page);
  });

  it('would change with what was seen', () => {
    const [first, ...rest] = readKept();
    if (first === undefined) throw new Error('Nothing is kept.');
    const changed = { ...first, points: first.points.map((point) => ({ ...point, verdict: 'partly' })) };
    expect(withTable(page, tableOf([changed, ...rest]))).not.toBe(page);
  });

  it('is of reports that name no port and no folder of a machine', () => {
    for (const kept of readKept())
      expect(JSON.stringify(kept)).not.toMatch(/127\.0\.0\.1:\d|\/(?:home|root|tmp|work)\//);
  });
});

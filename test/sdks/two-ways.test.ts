import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sdk, spec } from './support/sdk.js';
import { CONSENT } from './support/ways/consent.js';
import type { Checks, Way } from './support/ways/going.js';
import { STEPS } from './support/ways/steps.js';
import { TIMES } from './support/ways/times.js';
import { TOLD } from './support/ways/told.js';
import { TOOLS } from './support/ways/tools.js';

const CHECKS: Checks = { ...STEPS, ...TOOLS, ...CONSENT, ...TIMES, ...TOLD };

interface Row {
  readonly control: string;
  readonly since: number;
  readonly cells: Readonly<Record<Way, string>>;
}

const page = readFileSync(new URL('../../docs/controls.md', import.meta.url), 'utf8');
const ROWS: readonly Row[] = page
  .split('\n')
  .filter((line) => /^\| .+ \| (?:\*\*)?(yes|no)\b/.test(line))
  .map((line) => {
    const [, control = '', model = '', sdkRun = '', since = ''] = line.split(' | ').join('|').split('|');
    const name = control.trim();
    const plain = /^`[^`]+`$|^(`[^`]+`, )+`[^`]+`$/.test(name) ? name.replaceAll('`', '') : name;
    return { control: plain, since: Number.parseInt(since, 10), cells: { model: model.trim(), sdk: sdkRun.trim() } };
  });

/** Whether a cell is about models of this specification. */
function isFor(cell: string): boolean {
  return (
    !(spec === 'v2' && cell.includes('import for your AI SDK version')) &&
    !(spec !== 'v4' && cell.includes('models from `/ai7`'))
  );
}

describe('the page on the two ways', () => {
  it('has a row for each check, and a check for each row', () => {
    expect(ROWS.map(({ control }) => control).toSorted()).toEqual(Object.keys(CHECKS).toSorted());
    expect(ROWS.filter(({ since }) => ![5, 6, 7].includes(since))).toEqual([]);
  });

  const tries = ROWS.flatMap((row) =>
    (['model', 'sdk'] as const).map((way) => [row.control, way, row] as const),
  ).filter(([, way, { since, cells }]) => sdk >= since && isFor(cells[way]));

  it.each(tries)('is right about %s with tools run by the %s', async (control, way, { cells }) => {
    const works = await CHECKS[control]?.(way);
    expect(cells[way]).toMatch(works === true ? /^yes\b/ : /^(?:\*\*)?no\b/);
  });
});

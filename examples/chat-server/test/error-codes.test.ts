import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const APP = join(import.meta.dirname, '..');
/** The guards of shared refuse without an `HttpError`, and so does a form whose answer names its fields. */
const OTHERS = ['403 bad_host', '415 json_only', '422 bad_answer'];

const source = readdirSync(join(APP, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(APP, 'src', path), 'utf8'))
  .join('\n');

it('each error has its status and its code in the table of the README, and the table has no other', () => {
  const thrown = [...source.matchAll(/new HttpError\(\s*(\d{3}),\s*'(\w+)'/g)].map(
    ([, status, code]) => `${status} ${code}`,
  );
  // One that is written in another way would not be looked for.
  expect(source.split('new HttpError(').length - 1).toBe(thrown.length);
  const [, behind = ''] = readFileSync(join(APP, 'README.md'), 'utf8').split('### Errors\n');
  const [section = ''] = behind.split('\n#');
  const documented = [...section.matchAll(/^\| (\d{3}) \| ([^|]+) \|/gm)].flatMap(([, status, codes = '']) =>
    [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`),
  );
  expect(documented.toSorted()).toEqual([...new Set([...thrown, ...OTHERS])].toSorted());
});

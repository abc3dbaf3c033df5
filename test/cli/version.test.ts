import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { run } from './support/run.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

it.each(['--version', '-v', 'version'])('%s prints the version of the package', async (arg) => {
  expect(await run([arg])).toEqual({ code: 0, out: `${version}\n`, err: '' });
});

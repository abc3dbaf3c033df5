import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createPathGuard } from '../path-guard.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'guard-')));
afterAll(() => rmSync(base, { recursive: true }));
const root = join(base, 'root');
mkdirSync(join(root, 'src/deep'), { recursive: true });
mkdirSync(join(base, 'outside/folder'), { recursive: true });
mkdirSync(join(base, 'root-more'));
mkdirSync(join(root, 'config'));
writeFileSync(join(root, 'a'), '');
const links = {
  'to-outside': '../outside',
  'to-absolute': join(base, 'outside'),
  'to-nothing': '../outside/new',
  'to-inside': 'src',
  'to-link': 'to-outside',
  circle: 'circle',
  deep: '../outside/folder',
};
for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
symlinkSync(root, join(base, 'outside/back'));

const guard = createPathGuard({
  roots: [root],
  closed: [join(root, 'config')],
  readable: [join(root, 'config/outputs')],
});

describe('a path is inside', () => {
  it.each([
    '.',
    '',
    'a',
    'src',
    'src/deep/..',
    './a',
    'new',
    'new/folder/file',
    'to-inside/deep',
    `${root}/a`,
    `${root}/../root/a`,
    'to-outside/back/a',
    `${base}/outside/back/src`,
    'src//deep',
    'a\\b',
    '~',
    '-x',
  ])('%j', (path) => expect(guard.resolve(path, root)).toMatchObject({ isInside: true, isReadable: true }));
});

describe('a path is outside', () => {
  it.each([
    '..',
    '../outside',
    '../root-more',
    'src/../..',
    '/',
    '/etc/passwd',
    'to-outside',
    'to-outside/x',
    'to-outside/new/x',
    'to-absolute/x',
    'to-nothing',
    'to-nothing/x',
    'to-link/x',
    'deep/..',
    'deep/../x',
    'new/../../x',
    'circle',
    'circle/x',
    'a\0b',
    `${base}/root-more/x`,
    'config',
    'config/x',
    'CONFIG/x',
    'src/../config',
  ])('%j', (path) => expect(guard.resolve(path, root)).toMatchObject({ isInside: false, isReadable: false }));
});

it('gives the real path that a link which leads to nothing would make', () => {
  expect(guard.resolve('to-nothing', root).path).toBe(join(base, 'outside/new'));
});

it('lets a folder be read that was named, though it lies in a closed one', () => {
  expect(guard.resolve('config/outputs/x', root)).toMatchObject({ isInside: false, isReadable: true });
});

it('says that a closed folder lies in a path', () => {
  expect(['.', 'src', 'config'].map((path) => guard.resolve(path, root).holdsClosed)).toEqual([true, false, true]);
});

it('has no roots where it is unlimited, and still keeps closed folders and those of the kernel', () => {
  const unlimited = createPathGuard({ roots: [root], closed: [join(root, 'config')], isUnlimited: true });
  const isInside = (path: string): boolean => unlimited.resolve(path, root).isInside;
  expect(['/etc/passwd', 'config/x', '/proc/self/environ', '/dev/tty', '/sys/x'].map(isInside)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

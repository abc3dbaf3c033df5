import { expect, it } from 'vitest';
import { shortPath } from '../src/short-path.js';

it.each([
  ['/home/duck', '~'],
  ['/home/duck/notes/pond', '~/notes/pond'],
  ['/home/duck/..odd', '~/..odd'],
  ['/home', '/home'],
  ['/home/ducks', '/home/ducks'],
  ['/srv/pond', '/srv/pond'],
])('the folder %s is shown as %s', (path, shown) => {
  expect(shortPath(path, '/home/duck')).toBe(shown);
});

import { homedir } from 'node:os';
import { expect, it } from 'vitest';
import { absoluteFolder, userFolder } from '../user-folders.js';

it.each([
  ['config', 'XDG_CONFIG_HOME', '/home/ducks/.config/app'],
  ['data', 'XDG_DATA_HOME', '/home/ducks/.local/share/app'],
  ['state', 'XDG_STATE_HOME', '/home/ducks/.local/state/app'],
] as const)('the folder for %s is the one that %s names, or that in the home folder', (kind, name, usual) => {
  const env = { HOME: '/home/ducks' };
  expect(userFolder(kind, 'app', env)).toBe(usual);
  expect(userFolder(kind, 'app', { ...env, [name]: '/elsewhere' })).toBe('/elsewhere/app');
  // Relative to a workspace it would be the workspace's.
  for (const relative of ['', '.', 'state', './state', '~/state']) {
    expect(userFolder(kind, 'app', { ...env, [name]: relative }), relative).toBe(usual);
  }
});

it('a home folder that is no path is the one that the system has', () => {
  for (const HOME of [undefined, '', '.', 'ducks']) {
    expect(userFolder('state', 'app', { HOME }).startsWith(homedir())).toBe(true);
  }
  expect(absoluteFolder('ducks')).toBeUndefined();
});

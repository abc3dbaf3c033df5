import { expect, it, vi } from 'vitest';
import { toolsetOf } from '../support/call.js';
import { registryWith } from './helpers.js';

// What a bundle for Workers makes of it, if the bundler took the target for Node.
vi.mock('@modelcontextprotocol/sdk/client/stdio.js', () => {
  throw new Error('Dynamic require of "child_process" is not supported');
});

it('says what to do instead where the module for Node loads, but not what it needs', async () => {
  const { warnings } = await toolsetOf(registryWith({ local: { command: 'server' } }));
  expect(warnings).toEqual([expect.stringContaining('Connect over HTTP (`url`) instead of `command`. ')]);
});

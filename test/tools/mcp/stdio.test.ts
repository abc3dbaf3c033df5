import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MCP_CLIENT_INFO } from '../../../src/tools/mcp/client-info.js';
import * as node from '../../../src/tools/mcp/stdio-node.js';
import * as stub from '../../../src/tools/mcp/stdio-stub.js';

it('S0-2 the stub has the exports of the real module and says what to do instead', async () => {
  expect(Object.keys(stub)).toEqual(Object.keys(node));
  await expect(stub.openStdio({ command: 'x' })).rejects.toMatchObject({
    code: 'tool-source-unavailable',
    message: expect.stringContaining('`url`'),
  });
});

it('introduces itself with the version of the package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(MCP_CLIENT_INFO.version).toBe(manifest.version);
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, inject, it, onTestFinished } from 'vitest';

import { answerHello } from './hello-server.js';
import { runNode } from './run-node.js';

describe('the testing kit from the tarball', () => {
  // It imports no test runner: what works in `node:test` works in every other.
  it.each(['record-and-replay.mjs', 'scripted-model.cjs'])('%s passes under node:test', async (file) => {
    const server = createServer(answerHello);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const env = { BASE_URL: `http://127.0.0.1:${port}/v1` };
    const { code, stdout } = await runNode(['--test', file], { cwd: inject('consumer'), env });
    expect(stdout).toMatch(/^# fail 0$/m);
    expect({ code, stdout: code === 0 ? '' : stdout }).toEqual({ code: 0, stdout: '' });
  });
});

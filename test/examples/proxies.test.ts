import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createScriptedServer, type ScriptedServer } from '../../src/testing.js';
import { codeOf, forInstalled, readPage } from '../docs/support/pages.js';
import { runNode } from '../package/run-node.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A host that only the proxy knows. */
const HOST = 'models.invalid';
const [code = ''] = codeOf(readPage('docs/proxies.md'), 'js').map(forInstalled);

const sockets = new Set<Socket>();
const asked: string[] = [];
const proxy = createServer();
let model: ScriptedServer;

beforeAll(async () => {
  model = await createScriptedServer({ otherwise: () => 'They are full of air.' });
  const { hostname, port } = new URL(model.baseURL);
  proxy.on('connect', ({ url = '' }, client: Socket) => {
    asked.push(url);
    const server = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n');
      client.pipe(server).pipe(client);
    });
    for (const socket of [client, server]) sockets.add(socket.on('error', () => socket.destroy()));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await model.close();
});

const run = (env: Record<string, string>) =>
  runNode(['--import', 'tsx', '--input-type=module', '--eval', code], {
    cwd: ROOT,
    env: {
      HOME: process.env['HOME'] ?? '',
      OPENAI_BASE_URL: `http://${HOST}/v1`,
      OPENAI_API_KEY: 'test',
      HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      ...env,
    },
  });

it('goes through the proxy that the environment names', async () => {
  expect(await run({})).toMatchObject({ code: 0, stdout: 'They are full of air.\n', stderr: '' });
  expect(asked).toEqual([`${HOST}:80`]);
});

it('goes around it to the hosts of NO_PROXY', async () => {
  asked.length = 0;
  expect(await run({ NO_PROXY: '127.0.0.1', OPENAI_BASE_URL: model.baseURL })).toMatchObject({ code: 0, stderr: '' });
  expect(asked).toEqual([]);
});

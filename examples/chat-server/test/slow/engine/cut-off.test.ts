import { describe, expect, it } from 'vitest';
import { startTcpProxy } from '../../../../fleet/tcp-proxy.js';
import { approvalsIn, textOf, until } from '../../support/chat-client.js';
import { countingServer } from '../../support/counting-server.js';
import { newPlace, startInstance, startTwo, useModel } from '../../support/instances.js';
import { startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, newFolder } from '../../support/start-chat.js';

const { postgres, model } = await useModel(() => startScriptedModel());
const health = async (server: ChatProcess): Promise<unknown> => {
  const { status, json } = await server.api('GET', '/api/health');
  return [status, json['ok']];
};

describe.skipIf(postgres === undefined)('an instance that is cut off from the database', () => {
  it('says so to a load balancer, ends the running calls of apps, and works again once it is back', async () => {
    const mcp = countingServer(newFolder());
    const place = newPlace(postgres, model);
    const url = new URL(place.database);
    const proxy = await startTcpProxy(Number(url.port));
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    try {
      const one = await startInstance({ ...place, database: url.href, args: mcp.args });
      await one.send('s', 'hello');
      expect(await health(one)).toEqual([200, true]);
      const call = { server: 'counting', tool: 'wait', input: {} };
      const calling = one.fetch('POST', '/api/sessions/s/apps/calls', call).then((answer) => answer.text());
      await until(
        async () => mcp.did(),
        (did) => did.includes('wait began'),
      );
      proxy.stall();
      expect(await calling).toContain('"type":"error"');
      await until(
        async () => mcp.did(),
        (did) => did.includes('wait cancelled'),
      );
      expect(await health(one)).toEqual([503, false]);
      proxy.resume();
      await until(
        () => health(one),
        (found) => String(found) === '200,true',
      );
      expect(textOf((await one.send('s', 'again')).chunks)).toBe('You said: again');
    } finally {
      await proxy.close();
    }
  }, 60_000);
});

describe.skipIf(postgres === undefined)('a terminal whose instance has died', () => {
  it('is told to the model as ended with its server', async () => {
    const [one, two] = await startTwo(newPlace(postgres, model));
    const exec = `call execCommand ${JSON.stringify({ command: 'read x; echo got', yieldTimeMs: 1 })}`;
    const [id = ''] = approvalsIn((await one.send('t', exec)).chunks);
    expect(textOf((await one.answer('t', { id, approved: true })).chunks)).toContain('"sessionId":1');
    await one.end('SIGKILL');
    const looked = await two.send('t', 'call writeStdin {"sessionId":1,"yieldTimeMs":1}');
    expect(textOf(looked.chunks)).toContain(
      'it ended with the server or program that opened it. Start the command again.',
    );
    expect(model.problems).toEqual([]);
  }, 60_000);
});

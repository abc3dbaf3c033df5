import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webFetch } from 'responses-loop-example-shared/web-fetch.js';
import { expect, onTestFinished, test } from 'vitest';
import { call, startEngine } from '../../support/engine-rig.js';
import { makeToolSession } from '../../support/tool-session.js';

const asksFor = (url: string, id: string) => ({ output: [call('web_fetch', { url }, id)] });

test('a page is asked about by its whole address, and "for this session" is for its host', async () => {
  // A name that leads nowhere: what was allowed is told by what is asked.
  const rig = await startEngine([
    asksFor('https://a.invalid/one?q=1', 'c1'),
    asksFor('https://a.invalid/two', 'c2'),
    asksFor('https://b.invalid/', 'c3'),
    'So.',
  ]);
  rig.submit({ type: 'user_input', text: 'Read' });
  expect(await rig.seen('exec_approval_request')).toMatchObject({
    reason: 'it reads a page of a.invalid',
    rule: 'web: a.invalid',
    question: expect.stringContaining('https://a.invalid/one?q=1'),
  });
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved_for_session' });
  await rig.seen('exec_approval_request', ({ call_id: id }) => id === 'c3');
  rig.submit({ type: 'exec_approval', call_id: 'c3', decision: 'denied' });
  await rig.seen('task_complete');
  expect(rig.data('approval_decision').map(({ call_id: id, by, decision }) => [id, by, decision])).toEqual([
    ['c1', 'user', 'approved_for_session'],
    ['c2', 'rule', 'approved'],
    ['c3', 'user', 'denied'],
  ]);
  expect(rig.data('tool_execution_end')[0]).toMatchObject({
    success: false,
    error: expect.stringContaining('There is no host'),
  });
});

test('this machine is never read, whatever was allowed', async () => {
  let hits = 0;
  const server = createServer((_, response) => response.end(String((hits += 1))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const rig = await startEngine([asksFor(`http://127.0.0.1:${port}/`, 'c1'), 'So.'], {
    flags: { approval: 'never', sandbox: 'danger_full_access' },
  });
  await rig.say('Read');
  expect(rig.data('tool_execution_end')[0]).toMatchObject({ error: expect.stringContaining('no public address') });
  expect(hits).toBe(0);
});

test('a page is read in parts, which say how to go on', async () => {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(50_000)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const session = makeToolSession(process.env, {
    webFetch: (options) => webFetch({ ...options, isAllowed: () => true }),
  });
  onTestFinished(() => session.remove());
  const url = `http://127.0.0.1:${port}/`;
  expect(await session.run('web_fetch', { url })).toMatch(
    /^URL: .*\nStatus: 200, text\/plain\nCharacters 0 to 40000 of 50000; go on with offset 40000\.\n\nx{40000}$/,
  );
  expect(await session.run('web_fetch', { url, offset: 40_000 })).toMatch(/Characters 40000 to 50000 of 50000/);
  expect(await session.run('web_fetch', { url: 'no address' })).toMatch(/^ToolError: "no address" is no whole address/);
});

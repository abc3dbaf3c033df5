import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ScriptedServer } from 'responses-loop/testing';
import { bash, openCoder, scripted, text } from '../support/open-coder.js';

const ESC = '\u001B';
const FREE = ['-a', 'never', '-s', 'danger_full_access'];
const usage = { input_tokens: 200, output_tokens: 50, total_tokens: 250 };

describe('the line below the input', () => {
  it('tells what is left of the context and what was spent, and the terminal is told of the answer', async () => {
    await using server = await scripted(() => ({ ...text('Done.'), usage }));
    const env = { CODER_CONTEXT_WINDOW: '1000', CODER_NOTIFY: 'osc9' };
    using coder = await openCoder({ columns: 120, rows: 40, server, env, args: ['--price', '1000,2000'] });
    await coder.say('go');
    await coder.terminal.shows('75% context left · cost 0.3000');
    await coder.idle();
    expect(coder.terminal.raw).toContain(`${ESC}]9;coder has answered\u0007`);
    await coder.say('/cost');
    await coder.terminal.shows(/cost +0\.3000/);
    expect(coder.terminal.clears).toBe(0);
  });
});

/** A server in front of another, with a list that tells how much its model takes. */
async function withWindow(behind: ScriptedServer, tokens: number) {
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/models') === true) {
      response.end(JSON.stringify({ data: [{ id: 'any', max_model_len: tokens }] }));
      return;
    }
    void fetch(`${behind.baseURL}/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Readable.toWeb(request) as ReadableStream,
      duplex: 'half',
    } as RequestInit).then(async ({ status, headers, body }) => {
      response.writeHead(status, { 'content-type': headers.get('content-type') ?? '' });
      for await (const chunk of body ?? []) response.write(chunk);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => void server.close();
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { server: { ...behind, baseURL } as ScriptedServer, [Symbol.dispose]: close };
}

describe.each([
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
])('with a server that knows the window of its model, in a terminal of $columns × $rows', (size) => {
  it('the context that is left is shown from the first answer on', async () => {
    const used = { input_tokens: 5_900, output_tokens: 100, total_tokens: 6_000 };
    await using behind = await scripted(() => ({ ...text('Done.'), usage: used }));
    using front = await withWindow(behind, 8_000);
    using coder = await openCoder({ ...size, server: front.server });
    await coder.say('go');
    await coder.terminal.shows('6,000 tokens · 25% context left');
  });
});

describe.each([
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
])('while a task runs, in a terminal of $columns × $rows', (size) => {
  it('the screen tells seconds, tokens of the round and of the turn, the context that is left and the cost', async () => {
    await using server = await scripted((index) => ({ ...bash(index < 2 ? 'ls' : 'sleep 30'), usage }));
    const env = { CODER_CONTEXT_WINDOW: '1000' };
    using coder = await openCoder({ ...size, server, env, args: [...FREE, '--price', '1000,2000'] });
    await coder.say('go');
    const { terminal } = coder;
    await terminal.shows((screen) =>
      /working \d+ s · Esc interrupts · 250 tokens in the last round, 500 in this turn/.test(screen),
    );
    await terminal.shows((screen) => screen.includes('500 tokens · 75% context left · cost 0.6000'));
    terminal.write(ESC);
    await terminal.shows('Interrupted. What should I do instead?');
    await coder.idle();
    expect(terminal.clears).toBe(0);
  });
});

describe.each([
  { columns: 80, rows: 24 },
  { columns: 40, rows: 12 },
])('coder resume in a terminal of $columns × $rows', (size) => {
  it('lists the sessions if there are several, and goes on with the one that is chosen', async () => {
    using first = await openCoder(size);
    await first.say('My duck is Alfred.');
    await first.terminal.shows('you said');
    await first.idle();
    await first.say('/new');
    await first.terminal.until(() => first.terminal.count('▍ coder') === 2);
    await first.idle();
    await first.say('My cat is Tom.');
    await first.terminal.shows(/you said\s+"My cat/);
    await first.idle();
    first.terminal.write('\u0004');
    await first.terminal.exited;
    using second = await openCoder({ ...size, folders: first.folders, args: ['resume'], ready: '· My duck' });
    const { terminal } = second;
    expect(terminal.text).not.toContain('continued');
    terminal.write(`${ESC}[B`);
    await terminal.shows((screen) => /▸ .*My duck/.test(screen));
    terminal.write('\r');
    await terminal.shows('continued');
    await terminal.shows('› My duck is Alfred.');
  });
});

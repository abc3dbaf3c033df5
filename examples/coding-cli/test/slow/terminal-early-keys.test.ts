import { expect, it } from 'vitest';
import { openCoder, scripted, text } from '../support/open-coder.js';

it('a line that is typed with Enter before the program reads keys is sent', async () => {
  await using server = await scripted(() => text('Heard early.'));
  using coder = await openCoder({ server, typed: 'hello\r', ready: 'Heard early.' });
  expect(JSON.stringify(server.requests[0]?.input)).toContain('hello');
  await coder.idle();
  await coder.say('again');
  await coder.terminal.until(() => server.requests.length === 2);
});

it('what is typed without Enter before the program reads keys waits in the input, with what was erased erased', async () => {
  await using server = await scripted(() => text('Heard later.'));
  using coder = await openCoder({ server, typed: 'helpo\u007F\u007Flo', ready: '› hello' });
  expect(server.requests).toEqual([]);
  // Ctrl-J is a new line as ever.
  coder.terminal.write('\nworld');
  await coder.terminal.shows(/› hello\n\s*world/);
  coder.terminal.write('\r');
  await coder.terminal.shows('Heard later.');
  expect(JSON.stringify(server.requests[0]?.input)).toContain(String.raw`hello\nworld`);
});

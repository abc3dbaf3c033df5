import { expect, test } from 'vitest';

import { runCoder, startWorld } from '../support/run-coder.js';

test('all that is piped in is one message, and its answer is all of stdout', async () => {
  const { at, flags, server } = await startWorld(['Both lines.']);
  const { code, stdout } = await runCoder(flags, { ...at, input: 'first line\nsecond line\n' });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Both lines.\n' });
  expect(server.requests).toHaveLength(1);
  expect(JSON.stringify(server.requests[0]?.input)).toContain(String.raw`first line\nsecond line`);
});

test('what is piped in stands behind the prompt, in the session that goes on too', async () => {
  const { at, flags, server } = await startWorld(['One.', 'Two.']);
  await runCoder([...flags, 'review this'], { ...at, input: 'a diff\n' });
  expect(JSON.stringify(server.requests[0]?.input)).toContain(String.raw`review this\n\na diff`);
  expect(await runCoder([...flags, 'resume', '--last'], { ...at, input: 'and this\n' })).toMatchObject({ code: 0 });
  expect(JSON.stringify(server.requests[1]?.input)).toMatch(/a diff.*and this/);
});

test('without a terminal, a prompt and anything piped in: exit code 2, with what to do', async () => {
  const { at, flags } = await startWorld([]);
  expect(await runCoder(flags, { ...at, input: ' \n' })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('pipe a message in'),
  });
});

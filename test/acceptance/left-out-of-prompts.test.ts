import { expect, it } from 'vitest';
import { createResponsesProvider } from '../../src/v4.js';
import { reply, rigOf, says } from './support/rig.js';

type Prompt = Parameters<ReturnType<ReturnType<typeof createResponsesProvider>>['doGenerate']>[0]['prompt'];

const user = (...content: object[]): object => ({ role: 'user', content });
const text = (said: string): object => ({ type: 'text', text: said });
const hello = reply(says('resp_1', 'Hello.'));

async function ask(prompt: Prompt, answers: number) {
  const { model, requests } = await rigOf(
    createResponsesProvider,
    Array.from({ length: answers }, () => hello),
  );
  const asked = model.doGenerate({ prompt });
  return { asked, requests };
}

it('an output without its call is left out, with a warning', async () => {
  const output = { type: 'tool-result', toolCallId: 'gone', toolName: 'f', output: { type: 'text', value: '1' } };
  const { asked, requests } = await ask([user(text('Q')), { role: 'tool', content: [output] }], 1);
  expect((await asked).warnings).toMatchObject([{ message: expect.stringContaining('it has no call') as string }]);
  expect(requests[0]?.input).toHaveLength(1);
});

it('a prompt of which nothing can be sent is refused: the file belongs to another provider', async () => {
  const file = {
    type: 'file',
    mediaType: 'image/png',
    data: { type: 'reference', reference: { anthropic: 'file-x' } },
  };
  const { asked, requests } = await ask([user(file)], 0);
  await expect(asked).rejects.toMatchObject({ code: 'invalid-prompt' });
  expect(requests).toEqual([]);
});

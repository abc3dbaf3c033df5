/** Posts a message to the first route of the example, answers its questions at the second, and prints what comes back. */
import { POST, postAnswer } from '../../examples/ask-in-page.js';

const post = (body: object): Request => new Request('http://localhost', { method: 'POST', body: JSON.stringify(body) });
const answer = async (id: string, approved: unknown): Promise<void> => {
  const response = await postAnswer(post({ id, approved }));
  console.log('answered', response.status);
};

const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Look after the pond.' }] }];
const response = await POST(post({ messages }));
await answer('an id of nobody', true);

const answers = [true, 'yes'];
const asked = new Set<string>();
const lines = response.body?.pipeThrough(new TextDecoderStream()) ?? new ReadableStream<string>();
for await (const text of lines) {
  for (const line of text.split('\n\n')) {
    if (line !== '') console.log(line);
    if (!line.includes('"type":"data-question"')) continue;
    const { id } = JSON.parse(line.slice('data: '.length)) as { id: string };
    if (asked.has(id)) continue;
    asked.add(id);
    await answer(id, answers.shift());
    await answer(id, true);
  }
}

/** Asks the Worker of the examples twice: one question is answered late, and one after the user has left. */
import { setTimeout } from 'node:timers/promises';
import worker, { Chat } from '../../examples/ask-in-page-worker.js';

const LATE_MS = 1200;
const CHAT = new Chat();
const send = (path: string, body: object, signal?: AbortSignal): Promise<Response> => {
  const init: RequestInit = { method: 'POST', body: JSON.stringify(body), ...(signal === undefined ? {} : { signal }) };
  return worker.fetch(new Request(`http://localhost${path}`, init), { CHAT: { getByName: () => CHAT } });
};
const answer = async (id: string): Promise<void> => {
  const response = await send('/api/answer?chat=pond', { id, approved: true });
  console.log('answered', response.status);
};

console.log('without a chat', (await send('/api/chat', {})).status);
console.log('another path', (await send('/api/other?chat=pond', {})).status);

const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Look after the pond.' }] }];
for (const leaves of [false, true]) {
  const user = new AbortController();
  const response = await send('/api/chat?chat=pond', { messages }, user.signal);
  const lines = response.body?.pipeThrough(new TextDecoderStream()) ?? new ReadableStream<string>();
  for await (const line of lines) {
    console.log(line);
    const [, id] = /"type":"data-question","id":"([^"]+)","data":\{(?!.*"approved")/.exec(line) ?? [];
    if (id === undefined) continue;
    if (leaves) user.abort();
    else await setTimeout(LATE_MS);
    await answer(id);
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

const WORDS = ['Hello ', 'from ', 'the ', 'tarball.'];

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: WORDS.join(''), annotations: [] }],
};

const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  model: 'gpt-5.1',
  status: 'in_progress',
  output: [],
};

const completed = {
  ...response,
  status: 'completed',
  output: [message],
  usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
};

const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };

const events = [
  { type: 'response.created', response },
  { type: 'response.output_item.added', output_index: 0, item: { ...message, status: 'in_progress', content: [] } },
  { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } },
  ...WORDS.map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
  { type: 'response.output_text.done', ...place, text: WORDS.join('') },
  { type: 'response.output_item.done', output_index: 0, item: message },
  { type: 'response.completed', response: completed },
];

/** The smallest Responses server: one fixed answer, streamed if asked. It imports nothing of ours on purpose. */
export function answerHello(request: IncomingMessage, reply: ServerResponse): void {
  void text(request).then((body) => {
    if (request.url !== '/v1/responses' || request.headers.authorization !== 'Bearer test-key') {
      reply.writeHead(404).end();
    } else if ((JSON.parse(body) as { stream?: boolean }).stream === true) {
      reply.writeHead(200, { 'content-type': 'text/event-stream' });
      reply.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
    } else {
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completed));
    }
  });
}

// A Responses server on loopback in a process of its own, over HTTP and over WebSockets: it calls the tool `step` as often as
// the text of the first message says, then answers with as many words as it says. Prints its port; counts bytes.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { callsAnswer, textAnswer, toSse, words as wordsOf } from '../support/wire.mjs';

let bytes = 0;
let responses = 0;

function answer(context) {
  const [steps, words] = JSON.stringify(context[0]).match(/\d+/g).map(Number);
  const done = context.filter(({ type }) => type === 'function_call_output').length;
  responses += 1;
  const id = `resp_${responses}`;
  const events =
    done < steps
      ? callsAnswer([{ callId: `call_${done}`, name: 'step', pieces: [`{"page":${done}}`] }])
      : textAnswer(wordsOf(words));
  return events.map((event) =>
    event.response === undefined ? event : { ...event, response: { ...event.response, id } },
  );
}

const server = createServer((request, response) => void serve(request, response));

async function serve(request, response) {
  if (request.method === 'GET') {
    response.end(String(bytes));
    bytes = 0;
    return;
  }
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks);
  bytes += text.length;
  response.socket.setNoDelay(true);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(answer(JSON.parse(text).input).map(toSse).join(''));
}

new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  let latest = { id: undefined, context: [] };
  socket.on('message', (data) => {
    bytes += data.length;
    const { input, previous_response_id: previous } = JSON.parse(data);
    const context = previous === undefined ? input : [...latest.context, ...input];
    const events = answer(context);
    const { id, output } = events.at(-1).response;
    latest = { id, context: [...context, ...output] };
    for (const event of events) socket.send(JSON.stringify(event));
  });
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit(0));

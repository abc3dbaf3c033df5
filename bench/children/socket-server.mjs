// A Responses server on loopback in a process of its own, over HTTP and over WebSockets: it calls the tool `step` as often as
// the text of the first message says, then answers with as many words as it says, and hands so many events as it says to the
// network at once, over either of them. Prints its port; counts bytes.
import { createServer } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { callsAnswer, textAnswer, toSse, words as wordsOf } from '../support/wire.mjs';

let bytes = 0;
let responses = 0;

/** The events in the batches that travel together. */
function answer(context) {
  const [steps, words, together] = JSON.stringify(context[0]).match(/\d+/g).map(Number);
  const done = context.filter(({ type }) => type === 'function_call_output').length;
  responses += 1;
  const id = `resp_${responses}`;
  const events =
    done < steps
      ? callsAnswer([{ callId: `call_${done}`, name: 'step', pieces: [`{"page":${done}}`] }])
      : textAnswer(wordsOf(words));
  const named = events.map((event) =>
    event.response === undefined ? event : { ...event, response: { ...event.response, id } },
  );
  return Array.from({ length: Math.ceil(named.length / together) }, (_, index) =>
    named.slice(index * together, (index + 1) * together),
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
  for (const batch of answer(JSON.parse(text).input)) {
    response.write(batch.map(toSse).join(''));
    await nextTurn();
  }
  response.end();
}

new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  let latest = { id: undefined, context: [] };
  socket.on('message', (data) => {
    bytes += data.length;
    const { input, previous_response_id: previous } = JSON.parse(data);
    const context = previous === undefined ? input : [...latest.context, ...input];
    const batches = answer(context);
    const { id, output } = batches.at(-1).at(-1).response;
    latest = { id, context: [...context, ...output] };
    void sendAll(socket, batches);
  });
});

/** `ws` writes each message on its own unless what is below it gathers them. */
async function sendAll(socket, batches) {
  for (const batch of batches) {
    socket._socket.cork();
    for (const event of batch) socket.send(JSON.stringify(event));
    socket._socket.uncork();
    await nextTurn();
  }
}

server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit(0));

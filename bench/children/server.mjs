// A server on loopback in a process of its own, so that its work is nobody's. Prints its port. The first delta comes on its
// own, behind what leads up to it, and the rest behind that, as from a model.
import { createServer } from 'node:http';
import { textAnswer, toSse } from '../support/wire.mjs';

const deltas = process.argv.slice(2);
const events = textAnswer(deltas);
const firstDelta = events.findIndex(({ type }) => type === 'response.output_text.delta');
const lead = events.slice(0, firstDelta).map(toSse).join('');
const first = toSse(events[firstDelta]);
const rest = events
  .slice(firstDelta + 1)
  .map(toSse)
  .join('');

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.socket.setNoDelay(true);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(lead);
    setImmediate(() => {
      response.write(first);
      setTimeout(() => response.end(rest), 1);
    });
  });
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit(0));

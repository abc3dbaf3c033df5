import { json } from 'node:stream/consumers';
import { serve } from './loopback.mjs';

/** What the model calls when it is asked this; everything else it answers at once. */
const CALLS = {
  'Measure the pond.': [
    { type: 'call', name: 'measure', arguments: { place: 'pond' }, callId: 'call_measure' },
    { type: 'call', name: 'add', arguments: { a: 2, b: 3 }, callId: 'call_add' },
  ],
  'Use the process.': [{ type: 'call', name: 'measure', arguments: { place: 'mill' }, callId: 'call_process' }],
};

/**
 * A Responses server whose model follows rules, and which keeps what it was asked.
 *
 * @param testing the `responses-loop/testing` of the tarball
 */
export async function startResponsesServer(testing) {
  const requests = [];
  const server = await serve(async (incoming, response) => {
    if (incoming.method !== 'POST' || incoming.url !== '/v1/responses') return void response.writeHead(404).end();
    const body = await json(incoming);
    const prompt = promptOf(body);
    const request = { prompt, body, headers: incoming.headers, isAborted: false };
    requests.push(request);
    response.once('close', () => (request.isAborted = !response.writableFinished));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const id = `resp_${requests.length}`;
    if (prompt === 'Hang.') response.write(testing.encodeEvents(beginning(testing, id)));
    else response.end(testing.encodeEvents(testing.responseEvents({ id, output: decide(body, prompt) })));
  });
  return { baseURL: `${server.origin}/v1`, requests, close: server.close };
}

function decide({ input, tools = [] }, prompt) {
  const outputs = sinceUser(input).filter((item) => item.type === 'function_call_output');
  const calls = (CALLS[prompt] ?? []).filter((call) => tools.some((tool) => tool.name === call.name));
  if (outputs.length === 0 && calls.length > 0) return calls;
  return [{ type: 'text', text: `Seen: ${outputs.map((item) => item.output).join(' and ') || 'nothing'}` }];
}

function promptOf({ input }) {
  const { content } = sinceUser(input)[0];
  return typeof content === 'string' ? content : content.map((part) => part.text).join('');
}

function sinceUser(input) {
  return input.slice(input.findLastIndex((item) => item.role === 'user'));
}

/** A message that never gets past its first words. */
function beginning({ responseEvents }, id) {
  const events = responseEvents({ id, output: [{ type: 'text', text: ['I wonder'] }] });
  return events.slice(0, events.findIndex((event) => event.type === 'response.output_text.delta') + 1);
}

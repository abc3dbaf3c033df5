// What the chat server is compared with: one route that streams, and nothing else. Prints its port.
import { serve } from '@hono/node-server';
import { convertToModelMessages, streamText, type UIMessage } from 'ai';
import { Hono } from 'hono';
import { createResponsesProvider } from 'responses-loop/v3';

const [baseURL = ''] = process.argv.slice(2);
const provider = createResponsesProvider({ baseURL, apiKey: 'bench' });
const app = new Hono();
app.post('/api/chat', async ({ req }) => {
  const { messages } = await req.json<{ messages: UIMessage[] }>();
  const result = streamText({
    model: provider('bench'),
    messages: await convertToModelMessages(messages),
    abortSignal: req.raw.signal,
  });
  return result.toUIMessageStreamResponse();
});
process.once('SIGINT', () => process.exit(0));
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => process.stdout.write(`${port}\n`));

import { convertToModelMessages, streamText, type UIMessage } from 'ai';
import { createResponsesProvider } from 'responses-loop/ai5';

// All requests share this provider and its MCP servers.
const provider = createResponsesProvider({
  tools: { now: { description: 'The current time.', execute: () => new Date().toISOString(), readOnly: true } },
});

export async function POST(req: Request): Promise<Response> {
  const { messages } = (await req.json()) as { messages: UIMessage[] };
  const result = streamText({
    model: provider('gpt-5.1'),
    messages: await convertToModelMessages(messages),
    tools: { ...(await provider.tools()) },
    abortSignal: req.signal,
  });
  return result.toUIMessageStreamResponse();
}

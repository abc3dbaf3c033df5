import { convertToModelMessages, createUIMessageStream, createUIMessageStreamResponse, streamText } from 'ai';
import type { UIMessage, UIMessageStreamWriter } from 'ai';
import { createResponsesProvider, type ToolApprovalRequest } from 'responses-loop/ai5';
import { questionOf } from 'responses-loop/question';

const provider = createResponsesProvider({
  tools: {
    look: { description: 'Looks at the pond.', execute: () => '3 ducks', readOnly: true },
    drain: { description: 'Drains the pond.', execute: () => 'dry' },
  },
});

/** The pending questions, by id. Only the page that shows a question knows its id. */
const waiting = new Map<string, (approved: boolean) => void>();

/** The first route: the chat. */
export async function POST(req: Request): Promise<Response> {
  const { messages } = (await req.json()) as { messages: UIMessage[] };
  const stream = createUIMessageStream({
    execute: async ({ writer }) => {
      const result = streamText({
        model: provider('gpt-5.1', { approve: (call) => call.readOnly || ask(call, writer) }),
        messages: await convertToModelMessages(messages),
        tools: { ...(await provider.tools()) },
        abortSignal: req.signal,
      });
      // For a denied or failed call, `error` is a string. By default, the AI SDK hides all error messages.
      const onError = (error: unknown): string => (typeof error === 'string' ? error : 'The response failed.');
      const parts = result.toUIMessageStream({ onError });
      // Proxies close idle connections. Some servers detect a disconnected client only when they write.
      const beat = setInterval(() => writer.write({ type: 'data-waiting', data: null, transient: true }), 1000);
      try {
        for await (const part of parts) writer.write(part);
      } finally {
        clearInterval(beat);
      }
    },
  });
  return createUIMessageStreamResponse({ stream });
}

/** Shows the question on the page, and waits for the answer. If the call is aborted, the provider stops waiting. */
async function ask(call: ToolApprovalRequest, writer: UIMessageStreamWriter): Promise<boolean> {
  const id = crypto.randomUUID();
  const show = (answer: object): void =>
    writer.write({ type: 'data-question', id, data: { ...questionOf(call), callId: call.callId, ...answer } });
  const forget = (): void => void waiting.delete(id);
  call.signal.addEventListener('abort', forget);
  const approved = await new Promise<boolean>((resolve) => {
    waiting.set(id, resolve);
    show({});
  });
  forget();
  show({ approved });
  return approved;
}

/** The second route: the page posts `{ id, approved }`. */
export async function postAnswer(req: Request): Promise<Response> {
  const { id, approved } = (await req.json()) as { id: string; approved: unknown };
  const decide = waiting.get(id);
  if (decide === undefined) return new Response('No call is waiting for this answer.', { status: 404 });
  decide(approved === true);
  return new Response(null, { status: 204 });
}

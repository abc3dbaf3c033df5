import { convertToModelMessages, streamText, type UIMessage } from 'ai';
import { createResponsesProvider } from 'responses-loop/ai6';

const notes = ['Buy seed for the ducks'];

// Created once per process, not once per request.
const provider = createResponsesProvider({
  // Read-only tools run automatically. For all others, the page asks the user.
  approve: (call) => call.readOnly || 'ask',
  // Signs approval requests, so that no browser can forge an approval.
  historySecret: process.env['HISTORY_SECRET'],
  tools: {
    listNotes: { description: 'Lists all notes.', readOnly: true, execute: () => notes },
    addNote: {
      description: 'Adds a note.',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      execute: ({ text }: { text: string }) => `Note ${notes.push(text)} is saved.`,
    },
  },
});

export async function POST(request: Request): Promise<Response> {
  const { messages } = (await request.json()) as { messages: UIMessage[] };
  const result = streamText({
    model: provider(process.env['MODEL'] ?? 'gpt-5.1'),
    messages: await convertToModelMessages(messages),
    // Ends the call if the user presses Stop or closes the page.
    abortSignal: request.signal,
  });
  return result.toUIMessageStreamResponse({ originalMessages: messages });
}

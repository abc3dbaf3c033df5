import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChatSession } from '../../page/lib/chat-session.js';
import { changeInOrder } from '../../page/lib/settings.js';
import type { ChatMessage } from '../../src/types.js';

interface Stored {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly unknown[];
}

/** As much of the API as a conversation needs. What is asked for waits at its gate, if there is one. */
class FakeApi {
  readonly stored: Stored[] = [];
  readonly posted: Record<string, unknown>[] = [];
  refusal: { readonly status: number; readonly code: string } | undefined;
  /** What is said is answered and not stored. */
  isCommand = false;
  gates: { read?: Promise<void>; answer?: Promise<void> } = {};

  readonly fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    if (url === '/api/chat')
      return this.#chat(JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Record<string, unknown>);
    if (url.endsWith('/agents')) return Response.json([]);
    const messages = this.stored.map((message) => ({ ...message, metadata: {}, siblings: [message.id] }));
    await this.gates.read;
    return Response.json({ id: 's1', title: 'Ducks', running: false, queue: [], messages });
  };

  #chat(body: Record<string, unknown>): Response {
    this.posted.push(body);
    if (this.refusal) {
      const { status, code } = this.refusal;
      return Response.json({ error: { code, message: `It is ${code}.` } }, { status });
    }
    const id = `a${this.posted.length}`;
    const { gates } = this;
    const stored = this.isCommand ? [] : this.stored;
    const answer = this.isCommand ? 'Commands.' : 'Well.';
    stored.push(body['message'] as Stored);
    const event = (chunk: object): Uint8Array => new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`);
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(event({ type: 'start', messageId: id }));
        controller.enqueue(event({ type: 'text-start', id: '0' }));
        controller.enqueue(event({ type: 'text-delta', id: '0', delta: answer }));
        await gates.answer;
        stored.push({ id, role: 'assistant', parts: [{ type: 'text', text: answer }] });
        controller.enqueue(event({ type: 'text-end', id: '0' }));
        controller.enqueue(new TextEncoder().encode('data: [DONE]\n\n'));
        controller.close();
      },
    });
    return new Response(stream);
  }
}

function gate(): { readonly open: () => void; readonly closed: Promise<void> } {
  let open = (): void => {};
  const closed = new Promise<void>((resolve) => (open = resolve));
  return { open, closed };
}

const said = (messages: readonly ChatMessage[]): string[] =>
  messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));
const text = (words: string) => [{ type: 'text' as const, text: words }];

describe('a chat on the page', () => {
  let server: FakeApi;
  beforeEach(() => {
    server = new FakeApi();
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key),
      setItem: (key: string, value: string) => kept.set(key, value),
    };
    vi.stubGlobal('fetch', server.fetch);
    vi.stubGlobal('localStorage', storage);
    vi.stubGlobal('sessionStorage', storage);
    vi.stubGlobal('location', new URL('http://127.0.0.1:4300/'));
  });
  afterEach(() => vi.unstubAllGlobals());

  const open = (): ChatSession =>
    new ChatSession({
      id: 's1',
      isNew: true,
      choice: () => ({ chatModelId: 'default', chatModelSource: 'loop' }),
      onChange: () => {},
    });

  it('sends what the API takes, and nothing else', async () => {
    const session = open();
    await session.send(text('one'));
    await session.send(text('two'));
    expect(server.posted[1]).toEqual({
      id: 's1',
      trigger: 'submit-message',
      message: { id: expect.any(String), role: 'user', parts: text('two') },
      chatModelId: 'default',
      chatModelSource: 'loop',
      intent: 'chat',
      responseMode: 'stream',
    });
  });

  it('sends a message after the settings that were changed before it', async () => {
    const session = open();
    const saving = gate();
    void changeInOrder('s1', async () => {
      await saving.closed;
      return true;
    });
    const sent = session.send(text('one'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(server.posted).toEqual([]);
    saving.open();
    expect(await sent).toBe(true);
    expect(server.posted).toHaveLength(1);
  });

  it.each([
    ['a turn', (session: ChatSession) => session.send(text('one'))],
    ['a message for later', (session: ChatSession) => session.sendLater(text('one'), 'queue')],
  ])('sends nothing if a setting before it could not be saved, and tells so: %s', async (_name, send) => {
    const session = open();
    void changeInOrder('s1', async () => false);
    void changeInOrder('s1', async () => true);
    expect(await send(session)).toBe(false);
    expect(server.posted).toEqual([]);
    expect(session.state().notice).toMatchObject({ kind: 'error', text: expect.stringContaining('nothing was sent') });
    expect(await session.send(text('two'))).toBe(true);
  });

  it('keeps a message that is sent while the stored ones are being read', async () => {
    const session = open();
    await session.send(text('one'));
    const [reading, answering] = [gate(), gate()];
    server.gates = { read: reading.closed, answer: answering.closed };
    const refreshed = session.refresh();
    const sent = session.send(text('two'));
    reading.open();
    await refreshed;
    await vi.waitFor(() => expect(said(session.chat.messages)).toEqual(['one', 'Well.', 'two', 'Well.']));
    answering.open();
    expect(await sent).toBe(true);
    expect(said(session.chat.messages)).toEqual(['one', 'Well.', 'two', 'Well.']);
  });

  it('says that a message was not taken, why, and shows what is stored', async () => {
    const session = open();
    await session.send(text('one'));
    server.refusal = { status: 409, code: 'turn_running' };
    expect(await session.send(text('two'))).toBe(false);
    expect(session.state().notice).toEqual({ kind: 'info', text: 'It is turn_running.' });
    expect(said(session.chat.messages)).toEqual(['one', 'Well.']);
    expect(session.chat.error).toBeUndefined();
  });

  it('has sent a command that was answered, though neither is stored', async () => {
    const session = open();
    await session.send(text('one'));
    server.isCommand = true;
    expect(await session.send(text('/help'))).toBe(true);
    expect(said(session.chat.messages)).toEqual(['one', 'Well.']);
    expect(session.state().aside).toBe('Commands.');
  });

  it('begins a branch where an edited message stood', async () => {
    const session = open();
    await session.send(text('one'));
    await session.send(text('two'));
    const edited = session.chat.messages[2]?.id ?? '';
    await session.edit(edited, text('three'));
    expect(server.posted[2]).toMatchObject({ parentMessageId: 'a1', message: { parts: text('three') } });
    await session.edit(session.chat.messages[0]?.id ?? '', text('four'));
    expect(server.posted[3]).toMatchObject({ parentMessageId: null });
  });
});

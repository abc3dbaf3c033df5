import { setTimeout as sleep } from 'node:timers/promises';
import { responseEvents, type ScriptedReply } from 'responses-loop/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/chat-client.js';
import { type ScriptedModel, startScriptedModel, textOfItem } from '../../support/scripted-model.js';
import { type Sdk, sdkChat, SDKS, shown, storedMessages } from '../../support/sdk-chat.js';
import { type ChatProcess, startChat } from '../../support/start-chat.js';

const CHATS = Array.from({ length: 16 }, (_, n) => n);
const LONG = `tell ${Array.from({ length: 200 }, (_, n) => `word${n}`).join(' ')}`;

const half = responseEvents({ output: [{ type: 'text', text: ['Half ', 'of ', 'it'] }] });
/** It breaks off behind its last word. */
const HALF: ScriptedReply = {
  events: half.slice(0, half.findLastIndex((event) => 'type' in event && event.type.endsWith('text.delta')) + 1),
  ending: 'reset',
};

/** What ends a turn: the message that begins it, the chunk that tells of its end, and what is stored by then. */
const ENDINGS = {
  finish: { says: 'hello', stored: { messageKind: 'normal', parts: [{ text: 'You said: hello', state: 'done' }] } },
  refusal: { says: 'fail 400', stored: { messageKind: 'error', parts: [{ text: /400/ }] } },
  break: { says: 'half', stored: { messageKind: 'error', parts: [{ text: 'Half of it' }, { text: /./ }] } },
  stop: { says: LONG, stored: { messageKind: 'normal', metadata: { isAborted: true }, parts: [{ text: /word0/ }] } },
} as const;
type Ending = keyof typeof ENDINGS;
const NAMES = Object.keys(ENDINGS) as Ending[];
const LISTENERS = ['live', 'resumed'] as const;
const EACH = LISTENERS.flatMap((listener) => NAMES.map((ending) => [listener, ending] as const));

let model: ScriptedModel;
let chat: ChatProcess;

beforeAll(async () => {
  model = await startScriptedModel({
    delayMs: 5,
    answer: ({ input }) =>
      textOfItem(input.findLast(({ role }) => role === 'user')?.['content']) === 'half' ? HALF : undefined,
  });
  chat = await startChat({ baseURL: model.baseURL });
});
afterAll(async () => {
  await model.close();
});

describe('the next message', () => {
  it.each(EACH)(
    'of a %s listener is taken as soon as it hears of the %s, and everything is stored',
    async (listener, ending) => {
      const { says, stored } = ENDINGS[ending];
      await Promise.all(
        CHATS.map(async (n) => {
          const id = `raw-${listener}-${ending}-${n}`;
          const begun = await chat.fetch('POST', '/api/chat', chat.message(id, says));
          const heard = listener === 'live' ? begun : await chat.fetch('GET', `/api/chat/${id}/stream`);
          const ended = untilEnding(heard);
          if (ending === 'stop') await stopSoon(id);
          expect(await ended).toMatch(/finish|error|abort/);
          // Sent first: to look at the session takes time, too.
          const next = chat.send(id, 'next');
          expect((await next).status).toBe(200);
          const { messages } = await chat.session(id);
          expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
          expect(messages[1]).toMatchObject(asMatcher(stored));
        }),
      );
    },
  );

  it.each(SDKS.flatMap(([name, sdk]) => EACH.map(([listener, ending]) => [name, listener, ending, sdk] as const)))(
    "of %s's own client is never refused: %s listener, %s",
    async (name, listener, ending, sdk) => {
      await Promise.all(
        CHATS.map(async (n) => {
          const id = `${name.replace(' ', '')}-${listener}-${ending}-${n}`;
          const first = sdkChat({ sdk, server: chat, id, transport: 'mapped' });
          const sent = first.sendMessage({ text: ENDINGS[ending].says });
          const client = listener === 'live' ? first : await joined(id, sdk);
          const heard = listener === 'live' ? sent : client.resumeStream();
          if (ending === 'stop') await stopSoon(id);
          await heard;
          await client.sendMessage({ text: 'next' });
          expect(client.error).toBeUndefined();
          expect(shown(client.messages).at(-1)).toEqual([expect.any(String), 'assistant', 'You said: next']);
          await sent;
        }),
      );
    },
  );
});

/** A page that is opened while the turn runs. */
async function joined(id: string, sdk: Sdk) {
  await until(
    () => chat.session(id).catch(() => undefined),
    (session) => session?.running === true,
  );
  return sdkChat({ sdk, server: chat, id, transport: 'mapped', messages: await storedMessages(chat, id, 1) });
}

/** Behind some words; the listener hears of the end by itself. */
async function stopSoon(id: string): Promise<void> {
  await until(
    () => chat.session(id).catch(() => undefined),
    (session) => session?.running === true,
  );
  await sleep(400);
  void chat.api('POST', `/api/chat/${id}/stop`, {});
}

/** The first chunk that tells of the end of a turn; nothing behind it is read. */
async function untilEnding(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    const [, ending] = /^data: \{"type":"(finish|error|abort)"/m.exec(text) ?? [];
    if (ending !== undefined) return ending;
  }
  return undefined;
}

function asMatcher({ parts, ...rest }: (typeof ENDINGS)[Ending]['stored']): object {
  return {
    ...rest,
    parts: parts.map((part) => ({
      ...part,
      text: typeof part.text === 'string' ? part.text : expect.stringMatching(part.text),
    })),
  };
}

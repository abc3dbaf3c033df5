import { generateText, jsonSchema, type ModelMessage, stepCountIs, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import type { ResponseDescription } from 'responses-loop/testing';
import { reply, rig, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { itemsOfType, outline, outputs } from '../acceptance/support/wire.js';
import { ROADS, stored, twoTurns } from './support/turns.js';

const historySecret = 'a secret of sixteen';
const hidden: ResponseDescription = {
  id: 'resp_1',
  output: [
    { type: 'text', text: 'Let me add.' },
    { type: 'call', name: 'add', arguments: { a: 4, b: 1 }, callId: 'call_1' },
  ],
};
const settings = { tools: { add: adder().add }, toolParts: 'none', backend: 'openai' } as const;

/** A turn whose rounds are hidden, the history that an app keeps of it, changed, and what the next turn sends of that. */
async function nextTurn(
  change: (history: string) => string,
  { first = { historySecret }, second = { historySecret } }: Readonly<Record<string, ResponsesProviderSettings>> = {},
) {
  const turn = await rig([hidden, says('resp_2', 'Five.')].map(reply), { ...settings, ...first });
  const { response } = await generateText({ model: turn.model, prompt: 'Add.' });
  const history = JSON.parse(change(JSON.stringify(response.messages))) as ModelMessage[];
  const { model, requests } = await rig([reply(says('resp_3', 'Well.'))], { ...settings, ...second });
  const { warnings } = await generateText({
    model,
    messages: [{ role: 'user', content: 'Add.' }, ...history, { role: 'user', content: 'And?' }],
  });
  return { sent: outline(requests[0]), warnings: warnings ?? [] };
}

const LOSSLESS = ['user Add.', 'says Let me add.', 'call add', 'output 5', 'says Five.', 'user And?'];
const SHOWN = ['user Add.', 'says Let me add.', 'says Five.', 'user And?'];

describe('with a historySecret', () => {
  it('what was hidden comes back in another process with the same secret', async () => {
    expect(await nextTurn((history) => history)).toEqual({ sent: LOSSLESS, warnings: [] });
  });

  it('what was signed is read where there is no secret', async () => {
    expect(await nextTurn((history) => history, { second: {} })).toEqual({ sent: LOSSLESS, warnings: [] });
  });

  it.each<[string, (history: string) => string, string[]]>([
    ['with another output in it', (history) => history.replace('"text":"5"', '"text":"6"'), SHOWN],
    ['with another call in it', (history) => history.replace('\\"a\\":4', '\\"a\\":400'), SHOWN],
    [
      'beside another text',
      (history) => history.replace('"text":"Let me add."', '"text":"I know."'),
      ['user Add.', 'says I know.', 'says Five.', 'user And?'],
    ],
    ['without its signature', (history) => history.replaceAll(/"sig":"[\da-f]+"/g, '"sig":""'), SHOWN],
    [
      'with an item that was added',
      (history) =>
        history.replace('"entries":[', `"entries":[{"at":9,"item":{"type":"compaction","encrypted_content":"x"}},`),
      SHOWN,
    ],
  ])('a hidden round %s is ignored, and the rest of the history still counts', async (_what, change, sent) => {
    const turn = await nextTurn(change);
    expect(turn.sent).toEqual(sent);
    expect(turn.warnings).toEqual([
      {
        type: 'other',
        message: expect.stringMatching(/^Message \d of the prompt .*carrier.*not signed for this part/),
      },
    ]);
  });

  it('nor does one that was signed with another secret, or before there was one', async () => {
    for (const first of [{ historySecret: 'another secret of any' }, {}])
      expect((await nextTurn((history) => history, { first })).sent).toEqual(SHOWN);
  });

  it('options that a caller sets later change no signature', async () => {
    const marked = (history: string): string =>
      history.replace(
        '"responses-loop":{',
        '"responses-loop":{"promptCacheBreakpoint":{"mode":"explicit"},"phase":"commentary",',
      );
    expect((await nextTurn(marked)).sent).toEqual(LOSSLESS);
  });

  it.each(Object.entries(ROADS))(
    'calls keep their items and spelling after %s, whatever the SDK makes of the input',
    async (_name, road) => {
      const client = {
        // A schema that completes its input, as those of zod do.
        ask: tool({
          inputSchema: jsonSchema<object>(
            { type: 'object' },
            { validate: (value) => ({ success: true, value: { ...(value as object), added: true } }) },
          ),
          execute: () => 'yes',
        }),
      };
      const rounds: ResponseDescription[] = [
        {
          id: 'resp_1',
          output: [
            { type: 'text', text: 'Both.' },
            { type: 'call', name: 'add', arguments: '{ "a" : 1, "b": 2 }', callId: 'call_1' },
            { type: 'call', name: 'ask', arguments: {}, callId: 'call_2' },
          ],
        },
      ];
      const warnings: string[] = [];
      const { live, next } = await twoTurns(
        rounds,
        road,
        {
          tools: { add: adder().add },
          historySecret,
          onEvent: (event) => void (event.type === 'warning' && warnings.push(event.message)),
        },
        () => ({ tools: client, stopWhen: stepCountIs(3) }),
      );
      expect(warnings).toEqual([]);
      expect(itemsOfType(next, 'function_call')).toEqual(itemsOfType(live, 'function_call'));
      expect(outputs(next)).toEqual(outputs(live));
    },
  );

  it('of what the stock provider wrote only sealed reasoning counts, and members of calls', async () => {
    const openai = (members: object) => ({ providerOptions: { openai: members } });
    const { model, requests } = await rig([reply(says('resp_1', 'Well.'))], { backend: 'openai', historySecret });
    const messages = stored([
      { role: 'user', content: 'Hi.' },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', ...openai({ itemId: 'rs_1', reasoningEncryptedContent: 'sealed' }) },
          { type: 'text', text: 'Hello.', ...openai({ itemId: 'msg_1', phase: 'commentary' }) },
        ],
      },
      { role: 'user', content: 'And?' },
    ]) as ModelMessage[];
    const { warnings } = await generateText({ model, messages });
    expect(warnings ?? []).toEqual([]);
    expect(itemsOfType(requests[0], 'reasoning')).toMatchObject([{ encrypted_content: 'sealed' }]);
    expect(outline(requests[0])).toEqual(['user Hi.', 'thinks sealed', 'says Hello.', 'user And?']);
  });
});

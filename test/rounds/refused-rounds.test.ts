import { ownWords } from '../../src/core/clean-text.js';
import { Redactor } from '../../src/observe/redactor.js';
import { generateText, streamText, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { LearnedRefusals } from '../../src/rounds/learned-refusals.js';
import { CallRefusals } from '../../src/rounds/refusals.js';
import type { ObserverEvent, ResponsesProviderSettings } from '../../src/index.js';
import { asRecords } from '../../src/util/guards.js';
import { toApiError } from '../../src/stream/decode-failure.js';
import type { ScriptedReply } from '../../src/testing.js';
import { finishOf, streamParts } from '../acceptance/support/parts.js';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { offered } from '../acceptance/support/wire.js';
import { failureOf } from '../provider/support/talk.js';

function refuse(message: string, rest: { readonly param?: string; readonly code?: string } = {}): ScriptedReply {
  return { status: 400, json: { error: { message, type: 'invalid_request_error', param: null, code: null, ...rest } } };
}

const NO_TEMPERATURE = refuse("Unsupported parameter: 'temperature' is not supported with this model.", {
  param: 'temperature',
});
const TOLD = 'The server refuses the field "temperature", so it was not sent.';
const hello = reply(says('resp_1', 'Hello.'));

describe('a round that a server refuses for one thing in it', () => {
  it('is sent once more without it, and the caller is told', async () => {
    const { model, requests } = await rig([NO_TEMPERATURE, hello]);
    const { text, warnings } = await generateText({ model, prompt: 'Hi', temperature: 0.5, topP: 0.9 });
    expect(text).toBe('Hello.');
    expect(requests.map(({ body }) => [body['temperature'], body['top_p']])).toEqual([
      [0.5, 0.9],
      [undefined, 0.9],
    ]);
    expect(warnings).toEqual([{ type: 'other', message: TOLD }]);
  });

  it('is read in the words of FastAPI too', async () => {
    const detail = [
      { type: 'extra_forbidden', loc: ['body', 'top_p'], msg: 'Extra inputs are not permitted', input: 1 },
    ];
    const { model, requests } = await rig([{ status: 422, json: { detail } }, hello]);
    await generateText({ model, prompt: 'Hi', topP: 0.9 });
    expect(requests.map(({ body }) => body['top_p'])).toEqual([0.9, undefined]);
  });

  it('tells whoever streams in the finish metadata, and whoever watches at once', async () => {
    const seen: ObserverEvent[] = [];
    const settings: ResponsesProviderSettings = { onEvent: (event) => seen.push(event) };
    const { model } = await rig([NO_TEMPERATURE, hello], settings);
    const parts = await streamParts(model, { temperature: 0.5 });
    expect(finishOf(parts).providerMetadata?.['responses-loop']).toMatchObject({ warnings: [TOLD] });
    expect(seen.filter((event) => event.type === 'warning').map(({ message }) => message)).toEqual([
      'The server refused the field "temperature"; the round was sent again without it.',
    ]);
  });

  it('teaches the next call, which says so too, but not a call to another model', async () => {
    const { model, provider, requests } = await rig([NO_TEMPERATURE, hello, hello, hello]);
    await generateText({ model, prompt: 'Hi', temperature: 0.5 });
    const { warnings } = await generateText({ model, prompt: 'Hi', temperature: 0.5 });
    const other = await generateText({ model: provider('gpt-other'), prompt: 'Hi', temperature: 0.5 });
    expect(requests.map(({ body }) => body['temperature'])).toEqual([0.5, undefined, undefined, 0.5]);
    expect(warnings).toEqual([{ type: 'other', message: TOLD }]);
    expect(other.warnings).toEqual([]);
  });

  it('says nothing in a call that did not ask for it', async () => {
    const { model } = await rig([NO_TEMPERATURE, hello, hello]);
    await generateText({ model, prompt: 'Hi', temperature: 0.5 });
    expect((await generateText({ model, prompt: 'Hi' })).warnings).toEqual([]);
  });

  it('says it once in a call of several rounds', async () => {
    const steps = [NO_TEMPERATURE, reply(calls('resp_1', ['add', { a: 1, b: 1 }])), reply(says('resp_2', 'Two.'))];
    const { model, requests } = await rig(steps, { tools: { add: adder().add } });
    const { warnings } = await generateText({ model, prompt: 'Hi', temperature: 0.5 });
    expect(warnings).toEqual([{ type: 'other', message: TOLD }]);
    expect(requests.map(({ body }) => body['temperature'])).toEqual([0.5, undefined, undefined]);
  });

  it('is an error when the same is refused again', async () => {
    const { model, requests } = await rig([NO_TEMPERATURE, NO_TEMPERATURE]);
    const error = await failureOf(model.doStream({ prompt: [], temperature: 0.5 }));
    expect(error).toMatchObject({ statusCode: 400, isRetryable: false });
    expect(requests).toHaveLength(2);
  });

  it('is an error at once when what is refused was not in it', async () => {
    const { model, requests } = await rig([NO_TEMPERATURE]);
    expect(await failureOf(model.doStream({ prompt: [] }))).toMatchObject({ statusCode: 400 });
    expect(requests).toHaveLength(1);
  });

  it('goes without one thing after the other where several are refused', async () => {
    const noTopP = refuse('Unrecognized request argument supplied: top_p');
    const { model, requests } = await rig([NO_TEMPERATURE, noTopP, hello]);
    const { warnings } = await generateText({ model, prompt: 'Hi', temperature: 0.5, topP: 0.9 });
    expect(requests.map(({ body }) => [body['temperature'], body['top_p']])).toEqual([
      [0.5, 0.9],
      [undefined, 0.9],
      [undefined, undefined],
    ]);
    expect(warnings).toHaveLength(2);
  });

  it('goes without a tool, wherever that stands in the next call', async () => {
    const { add } = adder();
    const refused = refuse("Invalid 'tools[1].name': no.", { param: 'tools[1].name' });
    const { model, requests } = await rig([refused, hello, hello], { tools: { add, bad: add, more: add } });
    const { warnings } = await generateText({ model, prompt: 'Hi' });
    await streamText({ model, prompt: 'Hi' }).text;
    expect(requests.map(offered)).toEqual([
      ['add', 'bad', 'more'],
      ['add', 'more'],
      ['add', 'more'],
    ]);
    expect(warnings).toEqual([{ type: 'other', message: 'The server refuses the tool "bad", so it was not sent.' }]);
  });

  it.each([
    ['tools[1].server_url', ['kept'], 'the tool "refused" (mcp)'],
    ['tools[1].type', [], 'tools of type "mcp"'],
  ])('goes without one of several MCP servers, or all where it does not know them (%s)', async (param, left, named) => {
    const { model, requests } = await rig([refuse('No.', { param, code: 'invalid_value' }), hello, hello]);
    const server = (label: string) => ({
      type: 'provider-defined' as const,
      id: 'openai.mcp' as const,
      name: label,
      args: { serverLabel: label, serverUrl: 'https://x.example' },
    });
    const both = [server('kept'), server('refused')];
    const { warnings } = await model.doGenerate({ prompt: [], tools: both });
    await model.doGenerate({ prompt: [], tools: both.toReversed() });
    const sent = requests.map(({ body }) => asRecords(body['tools']).map((one) => one['server_label']));
    expect(sent).toEqual([['kept', 'refused'], left, left]);
    expect(warnings).toEqual([{ type: 'other', message: `The server refuses ${named}, so it was not sent.` }]);
  });

  it.each(['tools[0].tools[1].parameters', 'tools.0.tools.1.name'])(
    'goes without one tool of a namespace, and no other (%s)',
    async (param) => {
      const namespace = { name: 'pond', description: 'Ducks.' };
      const { add } = adder();
      const tools = { feed: { ...add, namespace }, drain: { ...add, namespace }, more: add };
      const { model, requests } = await rig([refuse('No.', { param, code: 'invalid_value' }), hello, hello], {
        tools,
        backend: 'openai',
      });
      const { warnings } = await generateText({ model, prompt: 'Hi' });
      await generateText({ model, prompt: 'Hi' });
      const sent = requests.map(({ body }) =>
        asRecords(body['tools']).map(({ name, tools: inner }) => [name, asRecords(inner).map((one) => one['name'])]),
      );
      const rest = [
        ['pond', ['feed']],
        ['more', []],
      ];
      expect(sent).toEqual([
        [
          ['pond', ['feed', 'drain']],
          ['more', []],
        ],
        rest,
        rest,
      ]);
      expect(warnings).toEqual([
        { type: 'other', message: 'The server refuses the tool "drain", so it was not sent.' },
      ]);
    },
  );

  it('takes a tool from no caller who declares it in another way', async () => {
    const refused = refuse("Invalid schema for function 'search'.", {
      param: 'tools[0].parameters',
      code: 'invalid_schema',
    });
    const { model, requests } = await rig([refused, hello, hello, hello]);
    const ask = (description: string) =>
      generateText({ model, prompt: 'Hi', tools: { search: tool({ description, inputSchema: z.object({}) }) } });
    await ask('Refused.');
    await ask('Sound.');
    await ask('Refused.');
    expect(requests.map(offered)).toEqual([['search'], [], ['search'], []]);
  });
});

describe('what was learned from a refusal', () => {
  const place = ownWords('https://a.test/v1/responses m');
  const refused = toApiError(
    { error: { message: 'No.', param: 'user', code: 'unknown_parameter' } },
    { url: place, statusCode: 400, redactor: Redactor.NONE },
  );

  it('is forgotten after an hour, when the field is tried again', () => {
    let now = 1_000;
    const learned = new LearnedRefusals(() => now);
    const sent = () => new CallRefusals(learned, place).strip({ user: 'me' });
    const first = new CallRefusals(learned, place);
    expect(first.leaveOut(refused, { user: 'me' })).toEqual(['the field "user"']);
    expect(sent()).toEqual({ user: 'me' });
    first.accepted();
    now += 3_599_999;
    expect(sent()).toEqual({});
    now += 2;
    expect(sent()).toEqual({ user: 'me' });
  });

  it('holds for one host and one model only', () => {
    const learned = new LearnedRefusals();
    learned.learn(place, { kind: 'field', field: 'user' });
    const sent = (to: string) => new CallRefusals(learned, to).strip({ user: 'me' });
    expect(sent(place)).toEqual({});
    for (const other of ['https://b.test/v1/responses m', 'https://a.test/v1/responses n'])
      expect(sent(other)).toEqual({ user: 'me' });
  });
});

import { describe, expect, it } from 'vitest';
import {
  type ResponseDescription,
  responseEvents,
  type ScriptedEvent,
  type ScriptedStep,
} from 'responses-loop/testing';
import type { JsonObject } from '../../src/core/json.js';
import { asArray, asString } from '../../src/util/guards.js';
import { type AnyPart, answer, declared, EVERY_WAY, user, type Version, VERSIONS } from './support/any-version.js';
import { reply, rigOf, says } from './support/rig.js';

const LATER = ['v3', 'v4'] as const;
const WHOLE = 'd2hvbGU=';
const LARGE = 'A'.repeat(400_000);
type Item = JsonObject & { readonly type: string };
const image = (id: string, fields: JsonObject = {}): Item => ({
  type: 'image_generation_call',
  id,
  status: 'completed',
  result: WHOLE,
  revised_prompt: 'a duck',
  later_member: { kept: true },
  ...fields,
});
const item = (of: Item): NonNullable<ResponseDescription['output']>[number] => ({ type: 'item', item: of });
const partial = (id: string, index: number, base64: string): ScriptedEvent => ({
  type: 'response.image_generation_call.partial_image',
  output_index: index,
  item_id: id,
  partial_image_b64: base64,
  partial_image_index: 0,
});

/** A stream whose items begin empty, with previews of each image behind its beginning. */
function grown(images: readonly Item[], previews: readonly string[], more: ResponseDescription['output'] = []) {
  const events = responseEvents({ id: 'resp_1', output: [...images.map(item), ...more] });
  return events.flatMap((event): ScriptedEvent[] => {
    const one = event['item'] as JsonObject | undefined;
    if (event.type !== 'response.output_item.added' || one?.['type'] !== 'image_generation_call') return [event];
    const begun = { ...event, item: { ...one, status: 'in_progress', result: null } };
    return [
      begun,
      ...previews.map((base64) => partial(asString(one['id']) ?? '', event['output_index'] as number, base64)),
    ];
  });
}

const draws = (version: Version, args: JsonObject = { partialImages: 2 }) => [
  declared(version, 'image_generation', args),
];
const done = { type: 'text', text: 'Done.' } as const;
const shownOf = (parts: readonly AnyPart[]) =>
  parts
    .filter(({ type }) => ['tool-call', 'tool-result', 'file'].includes(type))
    .map(({ type, toolCallId, result, preliminary, isError }) => [
      [type, asString(toolCallId), preliminary === true ? 'preliminary' : '', isError === true ? 'error' : '']
        .filter((word) => word !== undefined && word !== '')
        .join(' '),
      (result as JsonObject | undefined)?.['result'],
    ]);

/** The parts of an answer as the SDK keeps them: 6 and 7 keep previews as results like any other. */
function historyOf(parts: readonly AnyPart[]): object[] {
  return parts.flatMap((part): object[] => {
    const providerOptions = part['providerMetadata'];
    const { toolCallId, toolName } = part;
    if (part.type === 'tool-call')
      return [{ type: 'tool-call', toolCallId, toolName, input: {}, providerExecuted: true, providerOptions }];
    if (part.type !== 'tool-result') return [];
    const type = part['isError'] === true ? 'error-json' : 'json';
    return [{ type: 'tool-result', toolCallId, toolName, output: { type, value: part['result'] }, providerOptions }];
  });
}

/** What the next request holds of an answer. */
async function nextInput(
  version: Version,
  parts: readonly AnyPart[],
  settings: Parameters<typeof rigOf>[2] = {},
): Promise<JsonObject[]> {
  const { model, requests } = await rigOf(VERSIONS[version], [reply(says('resp_2', 'Well.'))], settings);
  const history = JSON.parse(JSON.stringify(historyOf(parts))) as object[];
  const prompt = [user('Draw.'), { role: 'assistant', content: history }, user('And?')];
  await answer(model, 'doStream', { prompt, tools: draws(version) });
  return asArray(requests[0]?.body['input']).slice(1, -1) as JsonObject[];
}

async function stream(version: Version, step: ScriptedStep, options: object = {}, settings = {}): Promise<AnyPart[]> {
  const { model } = await rigOf(VERSIONS[version], [step], settings);
  return answer(model, 'doStream', { prompt: [user('Draw.')], tools: draws(version), ...options });
}

describe('an image with partial images', () => {
  it.each(LATER)(
    '%s: is called when it is added, shown as it grows, and has its picture in the result and in a file',
    async (version) => {
      const parts = await stream(version, grown([image('ig_1')], ['MQ==', 'Mg=='], [done]));
      expect(shownOf(parts)).toEqual([
        ['tool-call ig_1', undefined],
        ['tool-result ig_1 preliminary', 'MQ=='],
        ['tool-result ig_1 preliminary', 'Mg=='],
        ['tool-result ig_1', WHOLE],
        ['file', undefined],
      ]);
      expect(
        parts.filter(({ toolCallId }) => toolCallId !== undefined).every(({ providerExecuted }) => providerExecuted),
      ).toBe(true);
    },
  );

  it.each(LATER)(
    '%s: goes back whole with the next request, whatever its size, at the place of its call',
    async (version) => {
      for (const settings of [{}, { historySecret: 'a secret of sixteen' }]) {
        const first = image('ig_1', { result: LARGE });
        const parts = await stream(version, grown([first, image('ig_2')], ['MQ==']), {}, settings);
        const { id: _first, ...sentFirst } = first;
        const { id: _second, ...sentSecond } = image('ig_2');
        expect(await nextInput(version, parts, settings)).toEqual([sentFirst, sentSecond]);
      }
    },
  );

  it.each(LATER)('%s: several at once keep the order of the server, whichever is whole first', async (version) => {
    const events = grown([image('ig_1'), image('ig_2')], ['MQ==']);
    const isDone = (event: ScriptedEvent, id: string): boolean =>
      event.type === 'response.output_item.done' && (event['item'] as JsonObject)['id'] === id;
    const first = events.filter((event) => isDone(event, 'ig_1'));
    const rest = events.filter((event) => !isDone(event, 'ig_1'));
    const at = rest.findIndex((event) => isDone(event, 'ig_2')) + 1;
    const parts = await stream(version, [...rest.slice(0, at), ...first, ...rest.slice(at)]);
    expect(shownOf(parts).map(([what]) => what)).toEqual([
      'tool-call ig_1',
      'tool-result ig_1 preliminary',
      'tool-call ig_2',
      'tool-result ig_2 preliminary',
      'tool-result ig_2',
      'file',
      'tool-result ig_1',
      'file',
    ]);
    const { id: _id, ...sent } = image('ig_1');
    expect(await nextInput(version, parts)).toEqual([sent, sent]);
  });

  it.each(LATER)('%s: that never comes to its end has failed, and leaves nothing behind', async (version) => {
    const events = grown([image('ig_1')], ['MQ==']);
    const cut = events.slice(
      0,
      events.findIndex(({ type }) => type === 'response.output_item.done'),
    );
    const endings: Record<string, ScriptedEvent[]> = {
      'the stream ends': [],
      'the response fails': [
        {
          type: 'response.failed',
          response: { id: 'resp_1', status: 'failed', error: { code: 'server_error', message: 'Oh.' } },
        },
      ],
      'the response is incomplete': [
        {
          type: 'response.incomplete',
          response: { id: 'resp_1', status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
        },
      ],
    };
    for (const [says_, ending] of Object.entries(endings)) {
      const parts = await stream(version, [...cut, ...ending]);
      expect([says_, shownOf(parts).map(([what]) => what)]).toEqual([
        says_,
        ['tool-call ig_1', 'tool-result ig_1 preliminary', 'tool-result ig_1 error'],
      ]);
      expect(parts.at(-1)?.type).toBe('finish');
      expect(await nextInput(version, parts)).toEqual([]);
    }
  });

  it.each(LATER)('%s: that an abort cut leaves nothing behind', async (version) => {
    const parts = await stream(version, grown([image('ig_1')], ['MQ==']));
    const cut = parts.slice(
      0,
      parts.findIndex(({ type, preliminary }) => type === 'tool-result' && preliminary !== true),
    );
    expect(await nextInput(version, cut)).toEqual([]);
  });

  it.each(LATER)('%s: is called at once where previews were asked for, also if none comes', async (version) => {
    const [call, ...rest] = grown([image('ig_1')], [], [done]).slice(0, -1);
    const parts = await stream(version, [
      call as ScriptedEvent,
      ...rest,
      { type: 'response.completed', response: { id: 'resp_1', status: 'completed' } },
    ]);
    expect(shownOf(parts)).toEqual([
      ['tool-call ig_1', undefined],
      ['tool-result ig_1', undefined],
      ['file', undefined],
    ]);
    const { id: _id, ...sent } = image('ig_1');
    expect(await nextInput(version, parts)).toEqual([sent]);
  });

  it.each(LATER)('%s: is called with the first preview where the call did not ask for any', async (version) => {
    const parts = await stream(version, grown([image('ig_1')], ['MQ==']), { tools: draws(version, {}) });
    expect(shownOf(parts).map(([what]) => what)).toEqual([
      'tool-call ig_1',
      'tool-result ig_1 preliminary',
      'tool-result ig_1',
      'file',
    ]);
  });

  it.each(LATER)('%s: is hidden where no tool parts are shown, previews and all', async (version) => {
    const parts = await stream(version, grown([image('ig_1')], ['MQ==']), { tools: [] }, { toolParts: 'declared' });
    expect(shownOf(parts).map(([what]) => what)).toEqual(['file']);
  });

  it('v2: has no previews, for want of a part', async () => {
    const parts = await stream('v2', grown([image('ig_1')], ['MQ==']));
    expect(shownOf(parts)).toEqual([
      ['tool-call ig_1', undefined],
      ['tool-result ig_1', undefined],
      ['file', undefined],
    ]);
    const { id: _id, ...sent } = image('ig_1');
    expect(await nextInput('v2', parts)).toEqual([sent]);
  });

  it.each(EVERY_WAY.filter(([, method]) => method === 'doGenerate'))(
    '%s %s: is a call and a result',
    async (version, method) => {
      const { model } = await rigOf(VERSIONS[version], [reply({ output: [item(image('ig_1')), done] })]);
      const parts = await answer(model, method, { prompt: [user('Draw.')], tools: draws(version) });
      expect(shownOf(parts).map(([what]) => what)).toEqual(['tool-call ig_1', 'tool-result ig_1', 'file']);
    },
  );

  it.each(LATER)('%s: names its item for others where the server keeps it', async (version) => {
    const parts = await stream(version, grown([image('ig_1')], ['MQ==']), {
      providerOptions: { openai: { store: true } },
    });
    const last = parts.findLast(({ type }) => type === 'tool-result');
    expect(last?.['providerMetadata']).toMatchObject({ openai: { itemId: 'ig_1' } });
  });
});

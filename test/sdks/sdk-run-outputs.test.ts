import { convertToModelMessages, generateText, readUIMessageStream, stepCountIs, streamText, type UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { calls, reply, replyTo, rig, says } from '../acceptance/support/rig.js';
import { toolOf } from '../acceptance/support/tools.js';
import { offered, outputs } from '../acceptance/support/wire.js';
import type { ScriptedRequest } from 'responses-loop/testing';

const LOG = Array.from({ length: 6_000 }, (_, at) => `line ${at}`).join('\n');
const ROWS = Array.from({ length: 6_000 }, (_, at) => ({ at }));
const readsLog = reply(calls('resp_1', ['readLog', {}, 'call_1']));
const done = reply(says('resp_done', 'Done.'));
const upTo5 = { stopWhen: stepCountIs(5) };

const idIn = (request: ScriptedRequest): string => {
  const id = /"id":"(out_\w+)"/.exec(
    outputs(request)
      .map(([, text]) => text)
      .join('\n'),
  )?.[1];
  if (id === undefined) throw new Error('no output was cut');
  return id;
};
const last = (request: ScriptedRequest | undefined): string => outputs(request).at(-1)?.[1] ?? '';

describe('long outputs of tools that the AI SDK runs', () => {
  it('are cut, and read with a tool that is declared once something was cut', async () => {
    const { provider, model, requests } = await rig(
      [
        readsLog,
        (request) => {
          const id = idIn(request);
          return replyTo(request, calls('resp_2', ['read_output', { id, from: 30_000, to: 30_006 }, 'call_2']));
        },
        done,
      ],
      { backend: 'openai', tools: { readLog: toolOf(() => LOG) } },
    );
    const tools = await provider.tools({ runBy: 'sdk' });
    const { text } = await generateText({ model, tools, prompt: 'Read.', ...upTo5 });
    expect(text).toBe('Done.');
    expect(requests.map(offered)).toEqual([['readLog'], ['readLog', 'read_output'], ['readLog', 'read_output']]);
    expect(last(requests[1]).length).toBeLessThan(40_300);
    expect(last(requests[2])).toBe(`[characters 30000 to 30006 of ${LOG.length}]\n${LOG.slice(30_000, 30_006)}`);
  });

  it('are cut again out of a chat that keeps the whole value, in the words that the model has read', async () => {
    const { provider, model, requests } = await rig([readsLog, done, done], {
      backend: 'openai',
      tools: { readLog: toolOf(() => ROWS) },
    });
    const tools = await provider.tools({ runBy: 'sdk' });
    const result = streamText({ model, tools, prompt: 'Read.', ...upTo5 });
    let message: UIMessage | undefined;
    for await (const one of readUIMessageStream({ stream: result.toUIMessageStream() })) message = one;
    const stored = JSON.parse(JSON.stringify([message])) as UIMessage[];
    expect(JSON.stringify(stored)).toContain('{"at":5999}');
    const history = await Promise.resolve(convertToModelMessages(stored, { tools }));
    await generateText({ model, tools, messages: [...history, { role: 'user', content: 'More.' }] });
    expect(last(requests[2]).length).toBeLessThan(40_300);
    const ofAi5 = last(requests[2]).includes('characters left out]');
    if (!ofAi5) expect(last(requests[2])).toBe(last(requests[1]));
    expect(offered(requests[2])).toEqual(ofAi5 ? ['readLog'] : ['readLog', 'read_output']);
  });

  it('of which toModelOutput changed a text are shown to the model as it made them', async () => {
    const { provider, model, requests } = await rig([readsLog, done], {
      backend: 'openai',
      tools: {
        readLog: toolOf(() => 'CARD 4111', { toModelOutput: () => ({ type: 'text', value: '[card hidden]' }) }),
      },
    });
    const tools = await provider.tools({ runBy: 'sdk' });
    await generateText({ model, tools, prompt: 'Read.', ...upTo5 });
    expect(last(requests[1])).toBe('[card hidden]');
  });
});

import { generateText, jsonSchema, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import { ResponsesLoopError } from 'responses-loop';
import { finishOf, streamParts } from '../acceptance/support/parts.js';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';

const add = (n: number, callId: string) => ['add', { a: n, b: 1 }, callId] as const;
const rounds = [calls('r1', add(1, 'c1')), calls('r2', add(1, 'c2')), says('r3', 'Done.')].map(reply);

async function finishMetadata(steps: typeof rounds, settings: ResponsesProviderSettings): Promise<unknown> {
  const { model } = await rig(steps, { tools: { add: adder().add }, ...settings });
  const parts = await streamParts(model, {
    tools: [{ type: 'function', name: 'ask', inputSchema: { type: 'object', properties: {} } }],
  });
  return finishOf(parts).providerMetadata?.['responses-loop']?.['limit'];
}

describe('the limit in the finish metadata', () => {
  it.each([
    ['maxRounds', { maxRounds: 2 }, 2],
    ['maxToolCalls', { maxToolCalls: 2 }, 2],
    ['maxRepeatedRounds', { maxRepeatedRounds: 1 }, 1],
  ])('names %s and what it was set to, where it made the model answer', async (name, settings, value) => {
    expect(await finishMetadata(rounds, settings)).toEqual({ name, value });
  });

  it('is there where a default was reached', async () => {
    const steps = Array.from({ length: 20 }, (_, n) => reply(calls(`r${n}`, add(n, `c${n}`))));
    expect(await finishMetadata([...steps, reply(says('end', 'Done.'))], {})).toEqual({ name: 'maxRounds', value: 20 });
  });

  it('is there where calls of the last round did not run, and no other round followed', async () => {
    const mixed = calls('r1', add(1, 'c1'), add(2, 'c2'), ['ask', {}, 'c3']);
    expect(await finishMetadata([reply(mixed)], { maxToolCalls: 1 })).toEqual({ name: 'maxToolCalls', value: 1 });
  });

  it('names the setting that an error is about, too', async () => {
    const many = calls('r1', add(1, 'c1'), add(2, 'c2'), add(3, 'c3'));
    expect(await finishMetadata([reply(many)], { limits: { callsPerRound: 2 } })).toEqual({
      name: 'limits.callsPerRound',
      value: 2,
    });
  });

  it('is not there where no limit was reached', async () => {
    expect(await finishMetadata(rounds, { maxRounds: 3, maxToolCalls: 3 })).toBeUndefined();
  });
});

describe('an error of code limit', () => {
  it('says which limit it was, and keeps that when tools have run', async () => {
    const steps = [reply(calls('r1', add(1, 'c1'))), reply(calls('r2', add(2, 'c2'), add(3, 'c3')))];
    const { model } = await rig(steps, { tools: { add: adder().add }, limits: { callsPerRound: 1 } });
    const error = await generateText({ model, prompt: 'Go.', maxRetries: 0 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'limit',
      limit: { name: 'limits.callsPerRound', value: 1 },
      completedCalls: [{ callId: 'c1' }],
    });
  });

  it('says so of what a server sent, and of what was posted', async () => {
    const { model } = await rig([reply(says('r1', 'x'.repeat(20_000)))], { limits: { messageBytes: 10_000 } });
    const sent = await generateText({ model, prompt: 'Go.', maxRetries: 0 }).catch((thrown: unknown) => thrown);
    expect(sent).toMatchObject({ code: 'limit', limit: { name: 'limits.messageBytes', value: 10_000 } });

    const { model: strict } = await rig([], { limits: { jsonDepth: 5 } });
    const deep = JSON.parse('{"a":'.repeat(40) + '1' + '}'.repeat(40)) as object;
    const ask = tool({ inputSchema: jsonSchema({ type: 'object', properties: {} }), execute: () => '' });
    const posted = await generateText({
      model: strict,
      tools: { ask },
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'ask', input: deep }] },
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'ask', output: { type: 'text', value: '' } }],
        },
      ],
    }).catch((thrown: unknown) => thrown);
    expect(ResponsesLoopError.isInstance(posted) && posted.limit).toEqual({ name: 'limits.jsonDepth', value: 5 });
  });
});

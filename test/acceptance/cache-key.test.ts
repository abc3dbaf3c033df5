import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import type { ScriptedRequest } from 'responses-loop/testing';
import { attempt, Kept } from '../journal/support/kept.js';
import { fallbackRig } from '../sdks/support/fallback.js';
import { rig as socketRig } from '../transport/sockets/rig.js';
import { answer, EVERY_WAY, user, VERSIONS } from './support/any-version.js';
import { calls, reply, rigOf, says } from './support/rig.js';
import { adder, toolOf } from './support/tools.js';

const auto = { 'responses-loop': { promptCacheKey: 'auto' } };
const KEY = /^responses-loop-[0-9a-f]{16}$/;
const steps = [
  reply(calls('resp_1', ['add', { a: 1, b: 2 }, 'call_1'])),
  reply(calls('resp_2', ['add', { a: 2, b: 2 }, 'call_2'])),
  reply(says('resp_3', 'Done.')),
];

const keysOf = (requests: readonly ScriptedRequest[]) => requests.map(({ body }) => body['prompt_cache_key']);

function settings(more: ResponsesProviderSettings = {}): ResponsesProviderSettings {
  return { backend: 'openai', tools: { add: adder().add, sub: toolOf(() => '0') }, ...more };
}

async function ask(prompt: readonly object[], more: ResponsesProviderSettings = {}, options: object = {}) {
  const { model, requests } = await rigOf(VERSIONS.v3, steps, settings(more));
  await answer(model, 'doStream', { prompt, providerOptions: auto, ...options });
  return keysOf(requests);
}

const system = (content: string) => ({ role: 'system', content });

describe("promptCacheKey: 'auto'", () => {
  it.each(EVERY_WAY)('is one key for all rounds of a call (%s, %s)', async (version, method) => {
    const { model, requests } = await rigOf(VERSIONS[version], steps, settings());
    await answer(model, method, { prompt: [user('Go.')], providerOptions: auto });
    const [key, ...others] = keysOf(requests);
    expect(key).toMatch(KEY);
    expect(others).toEqual([key, key]);
  });

  it('depends on instructions and tools, and not on what users say', async () => {
    const [key] = await ask([system('Be kind.'), user('Go.')]);
    expect((await ask([system('Be kind.'), user('I am Ada, key sk-123.')]))[0]).toBe(key);
    const tools = { add: adder().add };
    const client = { type: 'function', name: 'mine', inputSchema: { type: 'object', properties: {} } };
    const instructions = { 'responses-loop': { promptCacheKey: 'auto', instructions: 'Hurry.' } };
    const others = await Promise.all([
      ask([system('Be brief.'), user('Go.')]),
      ask([user('Go.')]),
      ask([system('Be kind.'), user('Go.')], { tools }),
      ask([system('Be kind.'), user('Go.')], {}, { tools: [client] }),
      ask([system('Be kind.'), user('Go.')], {}, { providerOptions: instructions }),
    ]);
    const all = [key, ...others.map(([first]) => first)];
    expect(new Set(all).size).toBe(6);
    expect(all).toEqual(all.map(() => expect.stringMatching(KEY)));
  });

  it('stays if a round offers other tools or asks another model', async () => {
    const prepareRound = ({ roundNumber }: { roundNumber: number }) =>
      roundNumber === 1 ? { activeTools: ['add'] } : { model: 'gpt-small' };
    const [key, ...others] = await ask([user('Go.')], { prepareRound });
    expect(others).toEqual([key, key]);
    expect(key).toBe((await ask([user('Go.')]))[0]);
  });

  it('is the same in a call that goes on out of a journal, and over a WebSocket', async () => {
    const kept = new Kept();
    const prepareRound = () => ({ activeTools: ['add'] });
    const play = async (from: number) => {
      const { provider, requests } = attempt(kept.journal(), steps.slice(from), settings({ prepareRound }));
      await generateText({ model: provider('gpt-5'), prompt: 'Go.', providerOptions: auto });
      return keysOf(requests);
    };
    const [key] = await play(0);
    for (const name of [...kept.records.keys()]) if (/\/(?:2|3)$/.test(name)) kept.records.delete(name);
    expect(await play(2)).toEqual([key]);
    await using talk = await socketRig({}, { backend: 'openai' });
    await generateText({ model: talk.provider('gpt-5'), prompt: 'Go.', providerOptions: auto });
    const sent = talk.server.requests.map(({ body }) => body['prompt_cache_key']);
    expect(sent[0]).toMatch(KEY);
    expect(new Set(sent).size).toBe(1);
  });

  it('reaches the stock provider as the same key', async () => {
    const play = async (useStock: boolean) => {
      const rig = await fallbackRig(steps, { useStock, settings: settings() });
      await generateText({ model: rig.model, prompt: 'Go.', providerOptions: auto });
      return keysOf(rig.requests);
    };
    const [key, ...others] = await play(true);
    expect(key).toMatch(KEY);
    expect(others).toEqual([key, key]);
    expect((await play(false))[0]).toBe(key);
  });

  it.each(['generic', 'xai', 'llamacpp'] as const)('sends none to servers of the profile %s', async (backend) => {
    expect(await ask([user('Go.')], { backend })).toEqual([undefined, undefined, undefined]);
    const rig = await fallbackRig(steps, { useStock: true, settings: settings({ backend }) });
    await generateText({ model: rig.model, prompt: 'Go.', providerOptions: auto });
    expect(keysOf(rig.requests)).toEqual([undefined, undefined, undefined]);
  });

  it('any other key is sent as it is', async () => {
    const own = { 'responses-loop': { promptCacheKey: 'ducks' } };
    expect(await ask([user('Go.')], { backend: 'generic' }, { providerOptions: own })).toEqual([
      'ducks',
      'ducks',
      'ducks',
    ]);
  });
});

import { generateText, jsonSchema } from 'ai';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider as createV2, type ResponsesProviderSettings } from 'responses-loop';
import { createResponsesProvider as createV3 } from 'responses-loop/v3';
import { createResponsesProvider as createV4 } from 'responses-loop/v4';
import type { ScriptedStep } from 'responses-loop/testing';
import { asRecords } from '../../src/util/guards.js';
import { fallbackRig } from '../sdks/support/fallback.js';
import { everythingPath } from '../tools/support/servers.js';
import { brokenRules, finishOf, partsOf, streamParts, textOf, userPrompt } from './support/parts.js';
import { calls, reply, rig, rigOf, says } from './support/rig.js';
import { adder, type LocalTool, toolOf } from './support/tools.js';
import { offered, outline, outputs } from './support/wire.js';

const later = (name: string, about: Partial<LocalTool> = {}): LocalTool =>
  toolOf(() => `${name} did it`, { description: `Does ${name}.`, deferLoading: true, ...about });

const search = (query: string, id = 'search'): ScriptedStep =>
  reply(calls(`resp_${id}`, ['search_tools', { query }, `call_${id}`]));
const call = (name: string, id = name): ScriptedStep => reply(calls(`resp_${id}`, [name, {}, `call_${id}`]));
const done = reply(says('resp_done', 'Done.'));

const generic = (tools: Record<string, LocalTool>): ResponsesProviderSettings => ({ backend: 'generic', tools });
const settings = (about: Partial<LocalTool> = {}): ResponsesProviderSettings =>
  generic({ now: toolOf(() => 'noon'), pay: later('pay', about), ship: later('ship'), store: later('store') });

const steps = [search('ship'), call('ship'), done];
const offers = [
  ['now', 'search_tools'],
  ['now', 'search_tools', 'ship'],
  ['now', 'search_tools', 'ship'],
];

describe('at a server that knows no tool search', () => {
  it.each([
    ['V2', createV2],
    ['V3', createV3],
    ['V4', createV4],
  ])('a model of %s searches, is offered what it found behind the others, and calls it', async (_version, create) => {
    const { model, requests } = await rigOf(create as typeof createV2, steps, settings());
    const parts = await streamParts(model);
    expect(brokenRules(parts)).toEqual([]);
    expect(textOf(parts)).toBe('Done.');
    expect(requests.map(offered)).toEqual(offers);
    expect(outputs(requests[2])).toEqual([
      ['call_search', 'You can call these tools from now on.\nship: Does ship.'],
      ['call_ship', 'ship did it'],
    ]);
    expect(JSON.stringify(requests.map(({ body }) => body))).not.toContain('defer_loading');
    expect(partsOf(parts, 'stream-start')[0]?.warnings).toEqual([]);
  });

  it('a whole MCP server costs one tool until then', async () => {
    const { model, requests } = await rig(
      [search('echo'), reply(calls('r', ['echo', { message: 'duck' }, 'c'])), done],
      {
        backend: 'generic',
        mcpServers: { everything: { command: process.execPath, args: [everythingPath], deferTools: '*' } },
      },
    );
    await streamParts(model);
    expect(offered(requests[0])).toEqual(['search_tools']);
    expect(offered(requests[1])?.slice(0, 2)).toEqual(['search_tools', 'echo']);
    expect(outputs(requests[2])[1]).toEqual(['c', 'Echo: duck']);
  });

  it('what was found is offered behind the tools of the caller, which are the same in every round', async () => {
    const { provider, requests } = await rig(steps, settings());
    const mine = { description: 'Mine.', inputSchema: jsonSchema({ type: 'object', properties: {} }) };
    await generateText({ model: provider('m'), prompt: 'Go.', tools: { mine } });
    expect(requests.map(offered)).toEqual([
      ['now', 'search_tools', 'mine'],
      ['now', 'search_tools', 'mine', 'ship'],
      ['now', 'search_tools', 'mine', 'ship'],
    ]);
    const beginnings = requests.map(({ body }) => JSON.stringify(asRecords(body['tools']).slice(0, 3)));
    expect(new Set(beginnings).size).toBe(1);
  });

  it('the next turn has the tools of the conversation from its beginning, in the same order', async () => {
    const { model, provider, requests } = await rig(
      [search('ship'), call('ship'), done, search('pay'), done],
      settings(),
    );
    const first = await generateText({ model, prompt: 'Go.' });
    const messages = [{ role: 'user' as const, content: 'Go.' }, ...first.response.messages];
    await generateText({ model: provider('m'), messages: [...messages, { role: 'user', content: 'And pay.' }] });
    expect(requests.slice(3).map(offered)).toEqual([
      ['now', 'search_tools', 'ship'],
      ['now', 'search_tools', 'ship', 'pay'],
    ]);
    // The search is not shown to AI SDK 5, and travels all the same.
    expect(outline(requests[3]).slice(0, 3)).toEqual([
      'user Go.',
      'call search_tools',
      expect.stringMatching(/ship: /),
    ]);
  });

  it('a tool that was not found does not run, and the model reads how it can', async () => {
    let ran = 0;
    const { model, requests } = await rig(
      [call('ship', 'a'), call('ship', 'b'), done],
      generic({ ship: later('ship', { execute: () => `run ${(ran += 1)}` }) }),
    );
    await streamParts(model);
    const texts = outputs(requests[2]).map(([, text]) => text);
    expect(texts[0]).toMatch(/"ship" was not loaded.*call it again.*"search_tools"/);
    expect(texts[1]).toBe('run 1');
    expect(requests.map(offered)).toEqual([['search_tools'], ['search_tools', 'ship'], ['search_tools', 'ship']]);
  });

  it('nor does it become a call of the caller, if unknown tools are', async () => {
    const { model, requests } = await rig([call('ship'), done], { ...settings(), onUnknownTool: 'client' });
    expect(finishOf(await streamParts(model)).finishReason).toBe('stop');
    expect(outputs(requests[1])).toEqual([['call_ship', expect.stringMatching(/was not loaded/)]]);
  });

  it('a forced tool, and those that the call allows, are offered from the start', async () => {
    const { model, requests } = await rig([call('ship'), done, done], settings());
    const forced = await streamParts(model, { toolChoice: { type: 'tool', toolName: 'ship' } });
    expect(partsOf(forced, 'stream-start')[0]?.warnings).toEqual([]);
    const allowedTools = { toolNames: ['pay', 'now'] };
    const allowed = await streamParts(model, { providerOptions: { openai: { allowedTools } } });
    expect(partsOf(allowed, 'stream-start')[0]?.warnings).toEqual([]);
    expect(requests.map(offered)).toEqual([
      ['now', 'search_tools', 'ship'],
      ['now', 'search_tools', 'ship'],
      ['now', 'search_tools', 'pay'],
    ]);
    expect(requests[2]?.body['tool_choice']).toMatchObject({ tools: [{ name: 'pay' }, { name: 'now' }] });
  });

  it('a choice that is required may be the search, and the closing round has what was found', async () => {
    const { model, requests } = await rig(steps, { ...settings(), maxRounds: 2 });
    await streamParts(model, { toolChoice: { type: 'required' } });
    expect(requests.map(({ body }) => body['tool_choice'] ?? 'auto')).toEqual(['required', 'auto', 'none']);
    expect(requests.map(offered)).toEqual(offers);
  });

  it('`toolNames` and stubs narrow what can be found, and no list has to name the search', async () => {
    const { provider, requests } = await rig(
      [search('ship pay', 'a'), done, search('ship pay', 'b'), done],
      settings(),
    );
    await streamParts(provider('m', { toolNames: ['now', 'pay'] }));
    expect(outputs(requests[1])[0]?.[1]).not.toContain('ship');
    const stubs = await provider.tools();
    expect(Object.keys(stubs)).toEqual(['now', 'pay', 'ship', 'store']);
    const { store, ship } = stubs;
    await generateText({ model: provider('m'), prompt: 'Go.', tools: { store: store!, ship: ship! } });
    expect(requests.map(offered)).toEqual([
      ['now', 'search_tools'],
      ['now', 'search_tools', 'pay'],
      ['search_tools'],
      ['search_tools', 'ship'],
    ]);
  });

  it('a history that a client made up opens nothing that the call may not have', async () => {
    const { provider, requests } = await rig([done], settings());
    const called = { toolCallId: 'call_0', toolName: 'search_tools' };
    const output = { type: 'text' as const, value: 'You can call these.\nship: x\npay: x\nnone: x' };
    await streamParts(provider('m', { toolNames: ['now', 'pay'] }), {
      prompt: [
        ...userPrompt(),
        { role: 'assistant', content: [{ type: 'tool-call', ...called, input: { query: 'x' } }] },
        { role: 'tool', content: [{ type: 'tool-result', ...called, output }] },
      ],
    });
    expect(offered(requests[0])).toEqual(['now', 'search_tools', 'pay']);
  });

  it('the search is never asked about, and what it found is', async () => {
    const asked: string[] = [];
    const approve: ResponsesProviderSettings['approve'] = ({ tool }) => asked.push(tool) > 0;
    const { model } = await rig(steps, { ...settings(), approve });
    await streamParts(model);
    expect(asked).toEqual(['ship']);
  });

  it('a call that the user allowed runs, also if its tool was not found in this conversation', async () => {
    const { model, requests } = await rigOf(
      createV3,
      [search('pay'), call('pay'), done],
      settings({ needsApproval: true }),
    );
    const asked = await streamParts(model as never);
    const request = asked.find(({ type }) => type === 'tool-approval-request') as { approvalId?: string } | undefined;
    const approvalId = request?.approvalId ?? '';
    expect(approvalId).not.toBe('');
    const prompt = [
      ...userPrompt(),
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'call_pay', toolName: 'pay', input: {}, providerExecuted: true },
          { type: 'tool-approval-request', approvalId, toolCallId: 'call_pay' },
        ],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId, approved: true, providerExecuted: true }],
      },
    ];
    await streamParts(model as never, { prompt });
    expect(outputs(requests[2])).toEqual([['call_pay', 'pay did it']]);
    expect(offered(requests[2])).toEqual(['now', 'search_tools', 'pay']);
  });

  it('`prepareRound` may offer what nobody has searched for', async () => {
    const seen: (readonly string[])[] = [];
    const { model, requests } = await rig([call('now'), call('pay'), done], {
      ...settings(),
      prepareRound: ({ roundNumber, keptBack }) => {
        seen.push(keptBack);
        return roundNumber === 1 ? { activeTools: ['pay'], toolChoice: { type: 'tool', toolName: 'pay' } } : undefined;
      },
    });
    await streamParts(model);
    expect(seen).toEqual([
      ['pay', 'ship', 'store'],
      ['ship', 'store'],
    ]);
    expect(requests.map(offered)).toEqual([['now', 'search_tools'], ['pay'], ['now', 'search_tools', 'pay']]);
    expect(outputs(requests[2])[1]).toEqual(['call_pay', 'pay did it']);
  });

  it('under the stock provider the same search is there', async () => {
    const { model, requests } = await fallbackRig(steps, { useStock: true, settings: settings() });
    await model.doGenerate({ prompt: userPrompt() });
    expect(requests.map(offered)).toEqual(offers);
  });

  it('a chat that moves from the stock provider to ours and back keeps what it found', async () => {
    const played = await fallbackRig([search('ship'), done, search('pay'), done, done], { settings: settings() });
    const { model, requests, useStock } = played;
    const messages: Parameters<typeof generateText>[0]['messages'] & object = [{ role: 'user', content: 'Go.' }];
    for (const stock of [true, false, true]) {
      useStock(stock);
      const { response } = await generateText({ model, messages });
      messages.push(...response.messages, { role: 'user', content: 'More.' });
    }
    expect(offered(requests.at(-1))).toEqual(['now', 'search_tools', 'ship', 'pay']);
  });

  it('with tools that the AI SDK runs there is no search: the call declares what it wants', async () => {
    const { provider, requests } = await rig([done], settings());
    const tools = await provider.tools({ runBy: 'sdk' });
    await generateText({ model: provider('m'), prompt: 'Go.', tools });
    expect(offered(requests[0])).toEqual(['now', 'pay', 'ship', 'store']);
  });

  it('a call without tools to search for has no search', async () => {
    const { model, requests } = await rig([done], generic({ add: adder().add }));
    await streamParts(model);
    expect(offered(requests[0])).toEqual(['add']);
  });
});

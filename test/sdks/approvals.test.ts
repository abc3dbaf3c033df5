import { generateText, type ModelMessage, stepCountIs, streamText, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider, type ObserverEvent } from 'responses-loop';
import { errorReply } from 'responses-loop/testing';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { itemsOfType, outline, outputs } from '../acceptance/support/wire.js';
import { add, approved, ask, asksUser, CHATS, chatting, clock, mixedRound } from './support/approvals.js';
import { fullPartsOf, sdk, spec } from './support/sdk.js';
import { question } from './support/turns.js';

describe.runIf(asksUser).each(Object.entries(CHATS))('a call that needs the user, kept in %s', (kept, road) => {
  it('is told with a request behind it, does not run, and ends the call', async () => {
    const { add: own, runs } = adder();
    const { chat, requests } = await chatting(road, [calls('resp_1', add(4, 'call_1'))], {
      tools: { add: own },
      approve: ask,
    });
    const { finishReason, told } = await chat.send();
    expect(finishReason).toBe('tool-calls');
    expect(told).toEqual(['tool-call', 'tool-approval-request']);
    expect(runs).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  it('runs once after a yes, and stays in the history once', async () => {
    const { add: own, runs } = adder();
    const { chat, requests } = await chatting(
      road,
      [calls('resp_1', add(4, 'call_1')), says('resp_2', 'Five.'), says('resp_3', 'Bye.')],
      { tools: { add: own }, approve: ask },
    );
    await chat.send();
    chat.answer('call_1', { approved: true });
    expect(await chat.send()).toMatchObject({ text: 'Five.', finishReason: 'stop' });
    expect(runs).toEqual([{ a: 4, b: 1 }]);
    const lived = [`user ${question}`, 'call add', 'output 5'];
    expect(outline(requests[1])).toEqual(lived);
    chat.say('Thanks.');
    await chat.send();
    expect(outline(requests[2])).toEqual([...lived, 'says Five.', 'user Thanks.']);
    expect(outputs(requests[2])).toEqual([['call_1', '5']]);
    expect(runs).toHaveLength(1);
  });

  it('never runs after a no: the model reads why, then and later', async () => {
    const { add: own, runs } = adder();
    const { chat, requests } = await chatting(
      road,
      [calls('resp_1', add(4, 'call_1')), says('resp_2', 'I see.'), says('resp_3', 'Bye.')],
      { tools: { add: own }, approve: ask },
    );
    await chat.send();
    chat.answer('call_1', { approved: false, reason: 'Too dear.' });
    expect(await chat.send()).toMatchObject({ text: 'I see.' });
    chat.say('Thanks.');
    await chat.send();
    expect(runs).toEqual([]);
    for (const request of requests.slice(1)) {
      expect(outputs(request)).toEqual([['call_1', expect.stringContaining('Too dear')]]);
      expect(itemsOfType(request, 'function_call')).toHaveLength(1);
    }
  });

  it('waits beside calls that need nobody: those run at once', async () => {
    const { add: own, runs } = adder();
    const { chat, requests } = await chatting(
      road,
      [calls('resp_1', add(4, 'call_1'), add(1, 'call_2')), says('resp_2', 'Done.')],
      { tools: { add: own }, approve: ({ callId }) => (callId === 'call_1' ? 'ask' : true) },
    );
    await chat.send();
    expect(runs).toEqual([{ a: 1, b: 1 }]);
    chat.answer('call_1', { approved: true });
    expect(await chat.send()).toMatchObject({ text: 'Done.' });
    expect(outputs(requests[1])).toEqual([
      ['call_1', '5'],
      ['call_2', '2'],
    ]);
    expect(runs).toHaveLength(2);
  });

  // `ai` 7 writes a denial of a repeated request behind both its messages.
  it('is asked about again while others have been answered: those run, and the model waits', async () => {
    const { add: own, runs } = adder();
    const { chat, requests } = await chatting(
      road,
      [calls('resp_1', add(4, 'call_1'), add(1, 'call_2')), says('resp_2', 'Done.'), says('resp_3', 'Bye.')],
      { tools: { add: own }, approve: ask },
    );
    await chat.send();
    chat.answer('call_2', { approved: true });
    const { told } = await chat.send();
    expect(told.filter((type) => type === 'tool-approval-request')).toHaveLength(1);
    expect([runs, requests.length]).toEqual([[{ a: 1, b: 1 }], 1]);
    chat.answer('call_1', { approved: false });
    expect(await chat.send()).toMatchObject({ text: 'Done.' });
    chat.say('Thanks.');
    await chat.send();
    for (const request of requests.slice(1)) {
      expect(outputs(request)).toEqual([
        ['call_1', expect.stringMatching(/denied|not allow/)],
        ['call_2', '2'],
      ]);
    }
    expect(runs).toHaveLength(1);
  });

  it('counts as interrupted once the conversation goes on without an answer, and a late yes runs nothing', async () => {
    const { add: own, runs } = adder();
    const { chat, requests } = await chatting(road, [calls('resp_1', add(4, 'call_1')), says('resp_2', 'Fine.')], {
      tools: { add: own },
      approve: ask,
    });
    await chat.send();
    chat.say('Forget it.');
    expect(await chat.send()).toMatchObject({ text: 'Fine.' });
    // `ai` 7 takes a request out of a UI message's history that the user has passed over.
    const isGone = sdk === 7 && kept === 'UI messages';
    expect(outputs(requests[1])).toEqual(isGone ? [] : [['call_1', expect.stringContaining('interrupted')]]);
    expect(itemsOfType(requests[1], 'function_call')).toHaveLength(isGone ? 0 : 1);
    expect(runs).toEqual([]);
  });

  it('may still be denied by `approve` when the user has said yes', async () => {
    const { add: own, runs } = adder();
    let policy: 'ask' | false = 'ask';
    const { chat, requests } = await chatting(road, [calls('resp_1', add(4, 'call_1')), says('resp_2', 'I see.')], {
      tools: { add: own },
      approve: () => policy,
    });
    await chat.send();
    policy = false;
    chat.answer('call_1', { approved: true });
    await chat.send();
    expect(outputs(requests[1])).toEqual([['call_1', expect.stringContaining('denied')]]);
    expect(runs).toEqual([]);
  });

  it('is asked about by a tool itself, without any `approve`', async () => {
    const { add: own, runs } = adder({ needsApproval: true });
    const { chat } = await chatting(road, [calls('resp_1', add(4, 'call_1')), says('resp_2', 'Five.')], {
      tools: { add: own },
    });
    await chat.send();
    expect(runs).toEqual([]);
    chat.answer('call_1', { approved: true });
    expect(await chat.send()).toMatchObject({ text: 'Five.' });
    expect(runs).toHaveLength(1);
  });

  it('waits in a later round, behind rounds that have run', async () => {
    const { add: own, runs } = adder();
    const { chat, requests } = await chatting(
      road,
      [
        {
          id: 'resp_1',
          output: [
            { type: 'text', text: 'First.' },
            { type: 'call', name: 'add', arguments: { a: 1, b: 1 }, callId: 'call_1' },
          ],
        },
        {
          id: 'resp_2',
          output: [
            { type: 'reasoning', summary: ['Hm.'], encrypted: 'sealed' },
            { type: 'call', name: 'add', arguments: { a: 4, b: 1 }, callId: 'call_2' },
          ],
        },
        calls('resp_3', add(7, 'call_3')),
        says('resp_4', 'Done.'),
      ],
      { tools: { add: own }, approve: ({ callId }) => (callId === 'call_2' ? 'ask' : true), backend: 'openai' },
    );
    await chat.send();
    chat.answer('call_2', { approved: true });
    expect(await chat.send()).toMatchObject({ text: 'Done.' });
    expect(outline(requests[3])).toEqual([
      `user ${question}`,
      'says First.',
      'call add',
      'output 2',
      'thinks sealed',
      'call add',
      'output 5',
      'call add',
      'output 8',
    ]);
    expect(runs).toHaveLength(3);
  });

  it('waits while a call of the caller’s is answered: the SDK comes back, and the model is not asked', async () => {
    const { add: own, runs } = adder();
    const { chat, requests } = await chatting(road, [mixedRound, says('resp_2', 'Done.'), says('resp_3', 'Bye.')], {
      tools: { add: own },
      approve: ask,
    });
    const options = { tools: { clock }, stopWhen: stepCountIs(5) };
    await chat.send(options);
    expect([runs, requests.length]).toEqual([[], 1]);
    chat.answer('call_1', { approved: true });
    expect(await chat.send(options)).toMatchObject({ text: 'Done.' });
    chat.say('Thanks.');
    await chat.send(options);
    for (const request of requests.slice(1)) {
      expect(new Map(outputs(request))).toEqual(
        new Map([
          ['call_1', '5'],
          ['call_2', 'noon'],
        ]),
      );
      expect(itemsOfType(request, 'function_call')).toHaveLength(2);
    }
    expect(runs).toHaveLength(1);
  });

  it('passes a server’s own request on, and the answer back', async () => {
    const item = {
      type: 'mcp_approval_request',
      id: 'mcpr_1',
      server_label: 'docs',
      name: 'search',
      arguments: '{"q":1}',
    };
    const { chat, requests } = await chatting(
      road,
      [{ id: 'resp_1', output: [{ type: 'item', item }] }, says('resp_2', 'Found.')],
      {},
    );
    const { told } = await chat.send();
    expect(told).toEqual(['tool-call', 'tool-approval-request']);
    chat.answer('mcpr_1', { approved: true });
    expect(await chat.send()).toMatchObject({ text: 'Found.' });
    expect(itemsOfType(requests[1], 'mcp_approval_request')).toEqual([item]);
    expect(itemsOfType(requests[1], 'mcp_approval_response')).toEqual([
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
    ]);
  });

  it('shows a server’s request as done once the server has run its tool', async () => {
    const item = { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'docs', name: 'search', arguments: '{}' };
    const ran = {
      type: 'mcp_call',
      id: 'mcp_1',
      server_label: 'docs',
      name: 'search',
      arguments: '{}',
      output: 'three',
      approval_request_id: 'mcpr_1',
    };
    const { chat, requests } = await chatting(
      road,
      [
        { id: 'resp_1', output: [{ type: 'item', item }] },
        {
          id: 'resp_2',
          output: [
            { type: 'item', item: ran },
            { type: 'text', text: 'Found.' },
          ],
        },
        says('resp_3', 'Bye.'),
      ],
      {},
    );
    await chat.send();
    chat.answer('mcpr_1', { approved: true });
    await chat.send();
    chat.say('Thanks.');
    await chat.send();
    const types = requests[2]?.input.map((entry) => entry['type']);
    expect(types).toEqual([
      'message',
      'mcp_approval_request',
      'mcp_approval_response',
      'mcp_call',
      'message',
      'message',
    ]);
    expect(chat.openCalls()).toEqual([]);
  });

  it('tells a server of a no, once', async () => {
    const item = { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'docs', name: 'search', arguments: '{}' };
    const { chat, requests } = await chatting(
      road,
      [{ id: 'resp_1', output: [{ type: 'item', item }] }, says('resp_2', 'I see.')],
      {},
    );
    await chat.send();
    chat.answer('mcpr_1', { approved: false });
    await chat.send();
    expect(itemsOfType(requests[1], 'mcp_approval_response')).toEqual([
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: false },
    ]);
    expect(itemsOfType(requests[1], 'function_call_output')).toEqual([]);
  });
});

describe.runIf(asksUser)('after a yes', () => {
  it('an error of the next request is no reason to run the tool again', async () => {
    const { add: own, runs } = adder();
    const played = await rig(
      [
        reply(calls('resp_1', add(4, 'call_1'))),
        errorReply({ status: 500 }),
        errorReply({ status: 500 }),
        errorReply({ status: 500 }),
      ],
      {
        tools: { add: own },
        approve: ask,
        retry: { initialDelayMs: 1 },
      },
    );
    const messages = await approved(played);
    const onError = (): void => {};
    const parts = await fullPartsOf(streamText<ToolSet>({ model: played.model, messages, onError }));
    expect(parts.filter(({ type }) => type === 'error')).toHaveLength(1);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'error' });
    expect(runs).toHaveLength(1);
  });

  it('a generate call that fails then is not repeated by the SDK either', async () => {
    const { add: own, runs } = adder();
    const played = await rig(
      [
        reply(calls('resp_1', add(4, 'call_1'))),
        errorReply({ status: 500 }),
        errorReply({ status: 500 }),
        errorReply({ status: 500 }),
      ],
      {
        tools: { add: own },
        approve: ask,
        retry: { initialDelayMs: 1 },
      },
    );
    const messages = await approved(played);
    await expect(generateText({ model: played.model, messages, maxRetries: 3 })).rejects.toThrow();
    expect(runs).toHaveLength(1);
  });

  it('the tool runs although the model may call none', async () => {
    const { add: own, runs } = adder();
    const played = await rig([reply(calls('resp_1', add(4, 'call_1'))), reply(says('resp_2', 'Five.'))], {
      tools: { add: own },
      approve: ask,
    });
    const messages = await approved(played);
    const result = streamText({ model: played.model, messages, toolChoice: 'none' });
    expect(await result.text).toBe('Five.');
    expect(runs).toHaveLength(1);
    expect(played.requests[1]?.body['tools']).toBeUndefined();
  });

  it('an abort reaches the tool, and the stream ends', async () => {
    const abort = new AbortController();
    let aborted = false;
    const slow = {
      description: 'Takes for ever.',
      inputSchema: { type: 'object', properties: {} },
      execute: (_args: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
        new Promise<string>(() => {
          abortSignal.addEventListener('abort', () => (aborted = true));
          abort.abort();
        }),
    };
    const played = await rig([reply(calls('resp_1', ['slow', {}, 'call_1']))], { tools: { slow }, approve: ask });
    const messages = await approved(played);
    const parts = await fullPartsOf(streamText<ToolSet>({ model: played.model, messages, abortSignal: abort.signal }));
    expect(parts.at(-1)?.type).toBe('abort');
    expect(aborted).toBe(true);
  });

  it('a yes that the SDK left out is asked for in a warning', async () => {
    const { add: own, runs } = adder();
    const played = await rig([reply(calls('resp_1', add(4, 'call_1'))), reply(says('resp_2', 'I see.'))], {
      tools: { add: own },
      approve: ask,
    });
    const messages = await approved(played, { providerExecuted: undefined });
    const result = await generateText({ model: played.model, messages });
    expect(result.warnings).toEqual([{ type: 'other', message: expect.stringContaining('`providerExecuted: true`') }]);
    expect(outputs(played.requests[1])).toEqual([['call_1', expect.stringContaining('interrupted')]]);
    expect(runs).toEqual([]);
  });
});

describe.runIf(asksUser)('with a historySecret', () => {
  const historySecret = 'a secret of sixteen';

  /** A second turn in which the client tells the history its own way. */
  async function told(change: (history: string) => string, secondSecret = historySecret) {
    const { add: own, runs } = adder();
    const played = await rig([reply(calls('resp_1', add(4, 'call_1'))), reply(says('resp_2', 'Well.'))], {
      tools: { add: own },
      approve: ask,
      historySecret,
    });
    const events: ObserverEvent[] = [];
    const history = JSON.parse(change(JSON.stringify(await approved(played)))) as ModelMessage[];
    const later = createResponsesProvider({
      baseURL: played.server.baseURL,
      apiKey: 'test',
      tools: { add: own },
      approve: ask,
      historySecret: secondSecret,
      onEvent: (event) => events.push(event),
    });
    const { warnings } = await generateText({ model: later('gpt-test'), messages: history });
    await later.close();
    return { runs, output: outputs(played.requests[1])[0]?.[1], warnings, events };
  }

  it('a yes holds in another process with the same secret', async () => {
    const { runs, output } = await told((history) => history);
    expect([runs, output]).toEqual([[{ a: 4, b: 1 }], '5']);
  });

  it.each([
    ['other arguments', (history: string) => history.replaceAll('"a":4', '"a":400')],
    ['another call', (history: string) => history.replaceAll('call_1', 'call_9')],
    ['no signature', (history: string) => history.replaceAll(/responses-loop:[\da-f]+:/g, 'responses-loop::')],
  ])('a yes with %s runs nothing', async (_what, change) => {
    const { runs, output } = await told(change);
    expect([runs, output]).toEqual([[], expect.stringContaining('denied')]);
  });

  it('an approval signed with another secret runs nothing', async () => {
    const { runs, warnings, events } = await told((history) => history, 'another secret of any');
    expect(runs).toEqual([]);
    expect(warnings).toContainEqual({ type: 'other', message: expect.stringContaining('not given for this call') });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool-approval', callId: 'call_1', source: 'local', approved: false }),
    );
  });
});

describe.runIf(asksUser)('a no', () => {
  it('is told to whoever watches', async () => {
    const events: ObserverEvent[] = [];
    const played = await rig([reply(calls('resp_1', add(4, 'call_1'))), reply(says('resp_2', 'I see.'))], {
      tools: { add: adder().add },
      approve: ask,
      onEvent: (event) => events.push(event),
    });
    const messages = await approved(played, { approved: false, reason: 'Too dear.' });
    await generateText({ model: played.model, messages });
    expect(events.filter(({ type }) => type.startsWith('tool-'))).toMatchObject([
      { type: 'tool-approval-request', callId: 'call_1', arguments: { a: 4, b: 1 } },
      { type: 'tool-approval', callId: 'call_1', approved: false, reason: 'Too dear.' },
    ]);
  });
});

describe.runIf(spec === 'v2')('a V2 model', () => {
  it('cannot ask the user: the call is denied, and the model goes on', async () => {
    const { add: own, runs } = adder();
    const played = await rig([reply(calls('resp_1', add(4, 'call_1'))), reply(says('resp_2', 'I see.'))], {
      tools: { add: own },
      approve: ask,
    });
    const { text, warnings } = await generateText({ model: played.model, prompt: question });
    expect(text).toBe('I see.');
    // `ai` 6 and 7 add a warning of their own about V2 models elsewhere.
    expect(warnings).toEqual([{ type: 'other', message: expect.stringContaining('responses-loop/v3') }]);
    expect(outputs(played.requests[1])).toEqual([['call_1', expect.stringContaining('no way to ask')]]);
    expect(runs).toEqual([]);
  });
});

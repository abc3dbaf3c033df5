import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/core/json.js';
import { generateText, HELLO, stream, textOf } from '../../provider/support/talk.js';
import { rig, type Rig, steps, waysOf } from './rig.js';

const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] });
const said = (text: string) => ({ role: 'assistant' as const, content: [{ type: 'text' as const, text }] });
/** One round each. */
const plain = { model: () => [{ type: 'text' as const, text: 'Hi.' }] };

describe('rounds over a socket', () => {
  it('send only what is new, on one connection, and come to the same answer', async () => {
    await using talk = await rig();
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(waysOf(talk)).toEqual(['socket whole', 'socket +1', 'socket +1', 'socket +1']);
    expect(talk.server.upgrades).toBe(1);
    expect(talk.runs).toBe(3);
  });

  it('show the same parts as over HTTP, streamed and generated', async () => {
    await using overSocket = await rig();
    await using overHttp = await rig({}, { transport: 'sse' });
    expect(await stream(overSocket)).toEqual(await stream(overHttp));
    expect(await generateText(overSocket)).toBe(await generateText(overHttp));
    expect(waysOf(overHttp)).not.toContain('socket whole');
  });

  it('keep each of several outputs and texts apart from what the model said between', async () => {
    const model = (context: readonly Readonly<Record<string, unknown>>[]) =>
      context.some(({ type }) => type === 'function_call_output')
        ? [{ type: 'text' as const, text: 'Done.' }]
        : [
            { type: 'reasoning' as const, text: 'Hm.', encrypted: 'sealed' },
            { type: 'call' as const, name: 'step', arguments: { n: 1 }, callId: 'a' },
            { type: 'text' as const, text: 'And now' },
            { type: 'call' as const, name: 'step', arguments: { n: 2 }, callId: 'b' },
          ];
    await using talk = await rig({ model });
    expect(textOf(await stream(talk))).toBe('And nowDone.');
    expect(waysOf(talk)).toEqual(['socket whole', 'socket +2']);
  });

  it('are sent whole where a search has opened a tool, because the tools are others then, and only what is new again', async () => {
    const names = ['search_tools', 'step', 'step'];
    const model = (context: readonly Readonly<Record<string, unknown>>[]) => {
      const done = context.filter(({ type }) => type === 'function_call_output').length;
      const name = names[done];
      if (name === undefined) return [{ type: 'text' as const, text: 'Done.' }];
      return [{ type: 'call' as const, name, arguments: { query: 'step', n: done }, callId: `call_${done}` }];
    };
    const tools = { step: { inputSchema: { type: 'object' }, execute: () => 'x', deferLoading: true } };
    await using talk = await rig({ model }, { backend: 'generic', tools });
    expect(textOf(await stream(talk))).toBe('Done.');
    expect(waysOf(talk)).toEqual(['socket whole', 'socket whole', 'socket +1', 'socket +1']);
  });

  it('read the rest of a long output with read_output, which the request after the cut is sent whole for', async () => {
    const log = Array.from({ length: 30_000 }, (_, at) => `line ${at}`).join('\n');
    const model = (context: readonly Readonly<Record<string, unknown>>[]) => {
      const outputs = context.filter(({ type }) => type === 'function_call_output').map(({ output }) => String(output));
      const id = /"id":"(out_\w+)"/.exec(outputs.join('\n'))?.[1];
      if (outputs.length === 0) return [{ type: 'call' as const, name: 'step', arguments: {}, callId: 'a' }];
      if (outputs.length > 2) return [{ type: 'text' as const, text: outputs.at(-1)?.slice(-12) ?? '' }];
      const from = 100_000 * outputs.length;
      return [
        { type: 'call' as const, name: 'read_output', arguments: { id, from, to: from + 20 }, callId: `r${from}` },
      ];
    };
    await using talk = await rig({ model }, { tools: { step: { execute: () => log } } });
    expect(textOf(await stream(talk))).toBe(log.slice(200_008, 200_020));
    expect(waysOf(talk)).toEqual(['socket whole', 'socket whole', 'socket +1', 'socket +1']);
  });

  it('leave an async call open, and have its output with a later round', async () => {
    const open = (callId: string) => ({
      type: 'item' as const,
      item: { type: 'function_call', id: `fc_${callId}`, call_id: callId, name: 'slow', arguments: '{}', async: true },
    });
    const model = (context: readonly Readonly<Record<string, unknown>>[]) => {
      const done = context.filter(({ type }) => type === 'function_call_output').map((item) => item['call_id']);
      if (done.length === 0) return [open('a'), { type: 'call' as const, name: 'step', arguments: {}, callId: 'b' }];
      return done.includes('a') ? [{ type: 'text' as const, text: done.join(' ') }] : [];
    };
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await using talk = await rig(
      { model },
      {
        backend: 'openai',
        tools: {
          slow: { execute: () => released.then(() => 'slow'), async: true },
          step: { execute: () => (setTimeout(release, 50), 'step') },
        },
      },
    );
    const parts = await stream(talk);
    expect(textOf(parts)).toBe('b a');
    expect(waysOf(talk)).toEqual(['socket whole', 'socket +1', 'socket +1']);
  });

  it('of 400 steps with results of 4 kB take less than 2 MB', async () => {
    const execute = ({ n }: Readonly<Record<string, unknown>>) => `${String(n)} ${'x'.repeat(4_000)}`;
    const tools = { step: { inputSchema: { type: 'object' }, execute } };
    await using talk = await rig({ model: steps(400) }, { tools });
    expect(textOf(await stream(talk))).toBe('Done after 400.');
    expect(talk.server.bytes).toBeLessThan(2_000_000);
  }, 60_000);
});

describe('a later call goes on from the connection', () => {
  const turns = async (talk: Rig, ...prompts: ReturnType<typeof user>[][]) => {
    for (const prompt of prompts) await stream(talk, { prompt });
  };

  it('if it is what was said there and more', async () => {
    await using talk = await rig(plain);
    const begin = [user('One')];
    await stream(talk, { prompt: begin });
    await stream(talk, { prompt: [...begin, said('Hi.'), user('Two')] });
    expect(waysOf(talk)).toEqual(['socket whole', 'socket +1']);
    expect(talk.server.requests[1]?.context).toHaveLength(3);
  });

  it.each([
    ['an edited message', [user('Other'), said('Hi.'), user('Two')], {}],
    ['another answer', [user('One'), said('Hello.'), user('Two')], {}],
    ['a message fewer', [user('Two')], {}],
    ['nothing new', [user('One'), said('Hi.')], {}],
    [
      'other instructions',
      [user('One'), said('Hi.'), user('Two')],
      { providerOptions: { openai: { instructions: 'Be brief.' } } },
    ],
    [
      'another effort',
      [user('One'), said('Hi.'), user('Two')],
      { providerOptions: { openai: { reasoningEffort: 'low' } } },
    ],
  ])('not with %s: all is sent, and nothing of before is left', async (_name, prompt, options) => {
    await using talk = await rig(plain);
    await stream(talk, { prompt: [user('One')] });
    await stream(talk, { prompt, ...options });
    expect(waysOf(talk)).toEqual(['socket whole', 'socket whole']);
    expect(talk.server.requests[1]?.context).toEqual(talk.server.requests[1]?.body['input']);
  });

  it('not after a response that was incomplete', async () => {
    await using talk = await rig({ ...plain, status: 'incomplete' });
    await stream(talk, { prompt: [user('One')] });
    await stream(talk, { prompt: [user('One'), said('Hi.'), user('Two')] });
    expect(waysOf(talk)).toEqual(['socket whole', 'socket whole']);
  });

  it('not twice: of two branches the second is sent whole', async () => {
    await using talk = await rig(plain);
    const branch = (text: string) => [user('One'), said('Hi.'), user(text)];
    await turns(talk, [user('One')]);
    await stream(talk, { prompt: branch('Two') });
    await stream(talk, { prompt: branch('Three') });
    expect(waysOf(talk)).toEqual(['socket whole', 'socket +1', 'socket whole']);
  });

  it('not with another key or header: they have a connection of their own', async () => {
    await using talk = await rig(plain);
    await stream(talk, { headers: { 'x-user': 'a' } });
    await stream(talk, { headers: { 'x-user': 'b' } });
    expect(talk.server.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it('what it continues itself is sent as it is', async () => {
    await using talk = await rig(plain);
    await stream(talk);
    await stream(talk, { providerOptions: { openai: { conversation: 'conv_1' } } });
    expect(talk.server.requests[1]?.body).toMatchObject({ conversation: 'conv_1' });
    expect(waysOf(talk)).toEqual(['socket whole', 'socket whole']);
  });
});

describe('calls at once', () => {
  it('have a connection each, and their own answers', async () => {
    const model = (context: readonly Readonly<Record<string, unknown>>[]) => {
      const asked = JSON.stringify(context[0]);
      const done = context.filter(({ type }) => type === 'function_call_output').length;
      return done < 2
        ? [{ type: 'call' as const, name: 'step', arguments: { n: done }, callId: `c${done}` }]
        : [{ type: 'text' as const, text: asked }];
    };
    await using talk = await rig({ model });
    const names = ['ada', 'bob', 'cyd', 'dee'];
    const answers = await Promise.all(names.map((name) => stream(talk, { prompt: [user(name)] })));
    names.forEach((name, index) => expect(textOf(answers[index] ?? [])).toContain(name));
    expect(new Set(talk.server.requests.map(({ connection }) => connection)).size).toBe(4);
    expect(waysOf(talk).filter((way) => way === 'socket +1')).toHaveLength(8);
  });

  it('beyond sockets.max go over HTTP', async () => {
    await using talk = await rig({}, { sockets: { max: 1 } });
    const answers = await Promise.all([stream(talk), stream(talk), stream(talk)]);
    expect(answers.map(textOf)).toEqual(Array(3).fill('Done after 3.'));
    expect(new Set(talk.server.requests.map(({ connection }) => connection))).toEqual(new Set([0, 1]));
  });
});

describe('a connection whose response holds only calls that the client answers', () => {
  const CALLS = {
    shell: [
      { type: 'shell_call', action: { commands: ['ls'] }, environment: { type: 'local' } },
      { output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exitCode: 0 } }] },
    ],
    local_shell: [{ type: 'local_shell_call', action: { type: 'exec', command: ['ls'], env: {} } }, { output: 'a' }],
    apply_patch: [{ type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a' } }, { status: 'completed' }],
    computer: [
      { type: 'computer_call', actions: [{ type: 'screenshot' }], pending_safety_checks: [] },
      { output: { type: 'computer_screenshot', imageUrl: 'data:image/png;base64,AA==' } },
    ],
    tool_search: [{ type: 'tool_search_call', execution: 'client', arguments: { goal: 'a' } }, { tools: [] }],
    custom: [{ type: 'custom_tool_call', name: 'custom', input: 'a' }, 'b'],
  } satisfies Record<string, [{ type: string } & JsonObject, JsonValue]>;

  it.each(Object.entries(CALLS))(
    'is kept for their outputs, whoever asks meanwhile: %s',
    async (name, [call, value]) => {
      const tools = [{ type: 'provider-defined' as const, id: `openai.${name}` as const, name, args: {} }];
      const item = { id: 'item_1', call_id: 'call_1', status: 'completed', ...call };
      await using talk = await rig({
        model: (context) =>
          JSON.stringify(context[0]).includes('One') && context.length === 1
            ? [{ type: 'item', item }]
            : [{ type: 'text', text: 'Hi.' }],
      });
      const asked = (await stream(talk, { prompt: [user('One')], tools })).filter((part) => part.type === 'tool-call');
      await stream(talk, { prompt: [user('Other')], tools });
      const content = asked.map(({ input, providerMetadata, ...part }) => ({
        ...part,
        input: name === 'custom' ? input : (JSON.parse(input) as JsonValue),
        ...(providerMetadata && { providerOptions: providerMetadata }),
      }));
      const output = typeof value === 'string' ? { type: 'text' as const, value } : { type: 'json' as const, value };
      const result = { type: 'tool-result' as const, toolCallId: 'call_1', toolName: name, output };
      await stream(talk, {
        prompt: [user('One'), { role: 'assistant', content }, { role: 'tool', content: [result] }],
        tools,
      });
      expect(waysOf(talk)).toEqual(['socket whole', 'socket whole', 'socket +1']);
      expect(talk.server.requests.map(({ connection }) => connection)).toEqual([1, 2, 1]);
    },
  );
});

describe('with auto', () => {
  const auto = { transport: 'auto', backend: 'openai' } as const;

  it('the first round goes over HTTP, later ones over the socket, and the next call from its first round', async () => {
    let isOpen = (): void => {};
    const opened = new Promise<void>((resolve) => {
      isOpen = resolve;
    });
    const execute = async () => {
      await opened;
      return 'ok';
    };
    await using talk = await rig(
      { onSocket: () => setTimeout(isOpen, 50) },
      { ...auto, tools: { step: { inputSchema: { type: 'object' }, execute } } },
    );
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(waysOf(talk)).toEqual(['http whole', 'socket whole', 'socket +1', 'socket +1']);
    await stream(talk);
    expect(waysOf(talk)[4]).toBe('socket whole');
    expect(talk.server.upgrades).toBe(1);
  });

  it('nothing waits for a proxy that swallows upgrades', async () => {
    await using talk = await rig({ onUpgrade: () => {} }, auto);
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(waysOf(talk)).toEqual(Array(4).fill('http whole'));
  });

  it.each([
    ['for a call of one round', auto],
    ['without tools of the provider', { ...auto, tools: {} }],
    ['for a server that is not known to have them', { ...auto, backend: 'generic' as const }],
    ['with a fetch of the user', { ...auto, fetch: globalThis.fetch }],
  ])('no socket is opened %s', async (_name, settings) => {
    await using talk = await rig(plain, settings);
    await stream(talk);
    await stream(talk);
    expect(talk.server.upgrades).toBe(0);
  });

  it('a model and a call may say otherwise', async () => {
    await using talk = await rig(plain, { transport: 'sse', models: { 'm*': { transport: 'websocket' } } });
    await stream(talk);
    await stream(talk, { ...HELLO, providerOptions: { 'responses-loop': { transport: 'sse' } } });
    expect(waysOf(talk)).toEqual(['socket whole', 'http whole']);
  });
});

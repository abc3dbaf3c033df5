import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ObserverEvent, OnUnknownTool, ResponsesProviderSettings } from 'responses-loop';
import { createResponsesProvider as createV3 } from '../../src/v3.js';
import { answer, EVERY_WAY, user, VERSIONS } from './support/any-version.js';
import { calls, reply, rig, rigOf, says } from './support/rig.js';
import { toolOf } from './support/tools.js';
import { itemsOfType, outputs } from './support/wire.js';

const schema = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
  additionalProperties: false,
} as const;

/** A tool `write`, and what it was called with. */
function writer(options: object = {}) {
  const runs: unknown[] = [];
  const write = toolOf(
    (args) => {
      runs.push(args);
      return `wrote ${String(args['path'])}`;
    },
    { inputSchema: schema, ...options },
  );
  return { write, runs };
}

const toWrite: OnUnknownTool = ({ name }) =>
  name === 'save' ? { tool: 'write', arguments: { path: 'b' } } : undefined;
const saves = (...ids: readonly string[]) => calls('r1', ...ids.map((id) => ['save', { file: 'a' }, id] as const));

async function play(settings: ResponsesProviderSettings, first = saves('c1')) {
  const played = await rig([reply(first), reply(says('r2', 'Done.'))], settings);
  const result = await generateText({ model: played.model, prompt: 'Go.', maxRetries: 0 });
  return { ...played, result, said: outputs(played.requests[1]).map(([, text]) => text) };
}

describe('a call that onUnknownTool sends on to a tool', () => {
  it('runs the tool with the arguments given, and stays on the wire as the model made it, with its output', async () => {
    const { write, runs } = writer();
    const { requests, said } = await play({ tools: { write }, onUnknownTool: toWrite });
    expect(runs).toEqual([{ path: 'b' }]);
    expect(itemsOfType(requests[1], 'function_call')).toMatchObject([
      { name: 'save', arguments: '{"file":"a"}', call_id: 'c1' },
    ]);
    expect(said).toEqual(['wrote b']);
  });

  it.each(EVERY_WAY)('is emitted as the model made it, whatever is shown (%s, %s)', async (version, method) => {
    for (const toolParts of ['none', 'all'] as const) {
      const { write, runs } = writer();
      const played = await rigOf(
        VERSIONS[version],
        [reply(saves('c1')), reply(says('r2', 'Done.')), reply(says('r3', 'Bye.'))],
        { tools: { write }, onUnknownTool: toWrite, toolParts },
      );
      const parts = await answer(played.model, method, { prompt: [user('Go.')] });
      const names = parts.flatMap((part) => (part.type.startsWith('tool-') ? [part['toolName'] ?? 'save'] : []));
      expect([...new Set(names)]).toEqual(toolParts === 'all' ? ['save'] : []);
      expect(runs).toHaveLength(1);
      await answer(played.model, method, { prompt: [user('Bye.')] });
    }
  });

  it('takes the model’s own arguments where none are given, and a JSON text as it is', async () => {
    const { write, runs } = writer();
    const settings = { tools: { write } };
    await play({ ...settings, onUnknownTool: () => ({ tool: 'write' }) }, calls('r1', ['save', { path: 'own' }, 'c1']));
    await play({ ...settings, onUnknownTool: () => ({ tool: 'write', arguments: '{"path":"text"}' }) });
    expect(runs).toEqual([{ path: 'own' }, { path: 'text' }]);
  });

  it('is checked like any other: arguments that do not fit run nothing', async () => {
    const { write, runs } = writer();
    for (const wrong of [{ file: 'a' }, { path: 1 }, '{"path":', '[]', 7, () => 1, Object.create(null) as object]) {
      const { said } = await play({ tools: { write }, onUnknownTool: () => ({ tool: 'write', arguments: wrong }) });
      expect(said).toHaveLength(1);
      expect(said[0]).not.toContain('wrote');
    }
    expect(runs).toEqual([]);
  });

  it.each([
    ['a no', () => false],
    ['a callback that throws', () => Promise.reject(new Error('gone'))],
    ['an answer that cannot be read', () => 'yes' as never],
    ['a question to a user who cannot be asked', () => 'ask' as const],
  ])(
    'does not run after %s of approve, which sees the tool and what it is to be called with',
    async (_name, decide) => {
      const { write, runs } = writer();
      const asked: unknown[] = [];
      const { said } = await play({
        tools: { write },
        onUnknownTool: toWrite,
        approve: ({ tool, arguments: args, callId }) => {
          asked.push([tool, args, callId]);
          return decide();
        },
      });
      expect(asked).toEqual([['write', { path: 'b' }, 'c1']]);
      expect(runs).toEqual([]);
      expect(said[0]).toContain('"write"');
    },
  );

  it('does not run where the tool itself needs approval and nobody gives it', async () => {
    const { write, runs } = writer({ needsApproval: true });
    await play({ tools: { write }, onUnknownTool: toWrite });
    expect(runs).toEqual([]);
  });

  it('asks no user about another call than the one that runs: the model has to call the tool by its name', async () => {
    const { write, runs } = writer();
    const played = await rigOf(createV3, [reply(saves('c1')), reply(says('r2', 'Done.'))], {
      tools: { write },
      onUnknownTool: toWrite,
      approve: () => 'ask',
      historySecret: 'a secret of many characters',
    });
    const parts = await answer(played.model, 'doStream', { prompt: [user('Go.')] });
    expect(parts.filter(({ type }) => type === 'tool-approval-request')).toEqual([]);
    expect(runs).toEqual([]);
    expect(outputs(played.requests[1])).toEqual([['c1', expect.stringContaining('Call "write".')]]);
  });

  it.each(['nothing', 'denied', 'toString', '__proto__', ''])('runs nothing for the name %j', async (name) => {
    const { write, runs } = writer();
    const { said } = await play({ tools: { write }, onUnknownTool: () => ({ tool: name }) });
    expect([runs, said]).toEqual([[], [expect.stringContaining('no tool of this provider here: write.')]]);
  });

  it('cannot reach a tool that the call does not offer, nor one of the caller', async () => {
    const { write, runs } = writer();
    const played = await rig([reply(saves('c1')), reply(says('r2', 'Done.'))], {
      tools: { write },
      onUnknownTool: () => ({ tool: 'ask' }),
    });
    const ask = { type: 'function', name: 'ask', inputSchema: { type: 'object', properties: {} } } as const;
    await answer(played.model, 'doStream', { prompt: [user('Go.')], tools: [ask] });
    expect([runs, outputs(played.requests[1])[0]?.[1]]).toEqual([[], expect.stringContaining('no tool of this')]);
    const none = await rig([reply(saves('c1')), reply(says('r2', 'Done.'))], {
      tools: { write },
      onUnknownTool: toWrite,
    });
    await answer(none.model, 'doStream', { prompt: [user('Go.')], toolChoice: { type: 'none' } });
    expect(runs).toEqual([]);
  });

  it('counts towards maxToolCalls in its turn, and what only answered does not', async () => {
    const { write, runs } = writer();
    const settings = { tools: { write }, onUnknownTool: toWrite, maxToolCalls: 1 };
    for (const toolConcurrency of ['auto', 1, 4] as const) {
      const { said, result } = await play(
        { ...settings, toolConcurrency },
        calls('r1', ['other', {}, 'c0'], ['save', {}, 'c1'], ['save', {}, 'c2'], ['write', { path: 'c' }, 'c3']),
      );
      expect(said.map((text) => /wrote|Not run|no tool/.exec(text)?.[0])).toEqual([
        'no tool',
        'wrote',
        'Not run',
        'Not run',
      ]);
      expect(result.providerMetadata?.['responses-loop']?.['limit']).toEqual({ name: 'maxToolCalls', value: 1 });
    }
    expect(runs).toHaveLength(3);
  });

  it('runs alone and in its turn, as a tool that writes does', async () => {
    const log: string[] = [];
    const slow = (name: string) => async () => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 15));
      log.push(`${name} ends`);
      return name;
    };
    const tools = { write: toolOf(slow('write')), read: toolOf(slow('read'), { readOnly: true }) };
    await play(
      { tools, onUnknownTool: () => ({ tool: 'write', arguments: {} }) },
      calls('r1', ['read', {}, 'c1'], ['save', {}, 'c2'], ['save', {}, 'c3'], ['read', {}, 'c4']),
    );
    expect(log).toEqual(['read', 'write', 'write', 'read'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('says in what ran only what acted: a denied one did not', async () => {
    const { write } = writer();
    const many = calls('r2', ['a', {}, 'c8'], ['b', {}, 'c9']);
    const { model } = await rig([reply(saves('c1')), reply(many)], {
      tools: { write },
      onUnknownTool: toWrite,
      approve: () => false,
      limits: { callsPerRound: 1 },
    });
    const error = await generateText({ model, prompt: 'Go.', maxRetries: 0 }).catch((thrown: unknown) => thrown);
    expect((error as { completedCalls?: unknown[] }).completedCalls ?? []).toEqual([]);
  });

  it('runs nothing when the function was given up, or its call ended, before it answered', async () => {
    const { write, runs } = writer();
    const late: OnUnknownTool = () =>
      new Promise((resolve) => setTimeout(() => resolve({ tool: 'write', arguments: { path: 'b' } }), 60));
    await play({ tools: { write }, onUnknownTool: late, toolTimeoutMs: 20 });
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(runs).toEqual([]);
  });

  it('has its output redacted as the tool’s, and events under the tool’s name', async () => {
    const { write } = writer();
    const events: ObserverEvent[] = [];
    const seen: string[] = [];
    await play({
      tools: { write },
      onUnknownTool: toWrite,
      onEvent: (event) => events.push(event),
      redactToolOutput: (output, { tool }) => {
        seen.push(tool);
        return output;
      },
    });
    expect(seen).toContain('write');
    const tools = events.flatMap((event) => (event.type === 'tool-start' ? [event.tool] : []));
    expect(tools).toEqual(['save', 'write']);
  });

  it('any object with more in it is an output', async () => {
    const { write, runs } = writer();
    const { said } = await play({ tools: { write }, onUnknownTool: () => ({ tool: 'write', price: 3 }) });
    expect([runs, said]).toEqual([[], ['{"tool":"write","price":3}']]);
  });
});

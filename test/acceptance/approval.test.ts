import { AsyncLocalStorage } from 'node:async_hooks';
import { generateText, streamText } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { approveByAnnotations, type Approve, type ObserverEvent, type ToolApprovalRequest } from 'responses-loop';
import { everythingPath } from '../tools/support/servers.js';
import { calls, reply, rig, says } from './support/rig.js';
import { adder, signalTower, toolOf } from './support/tools.js';
import { outputs } from './support/wire.js';

const adding = calls('resp_1', ['add', { a: 2, b: 3 }, 'call_1']);
const answering = says('resp_2', 'Done.');

/** One round that adds, one that answers, and what was asked. */
async function asking(answer: Approve) {
  const { add, runs } = adder();
  const asked: ToolApprovalRequest[] = [];
  const events: ObserverEvent[] = [];
  const { model, requests } = await rig([reply(adding), reply(answering)], {
    tools: { add },
    approve: (call) => {
      asked.push(call);
      return answer(call);
    },
    onEvent: (event) => events.push(event),
  });
  const result = streamText({ model, prompt: 'Add.' });
  expect(await result.text).toBe('Done.');
  return {
    runs,
    asked,
    outputs: outputs(requests[1]),
    approvals: events.filter(({ type }) => type === 'tool-approval'),
  };
}

describe('approve', () => {
  it('is asked once, with everything a person needs to decide', async () => {
    const { asked, runs } = await asking(() => true);
    expect(runs).toEqual([{ a: 2, b: 3 }]);
    expect(asked).toEqual([
      {
        callId: 'call_1',
        tool: 'add',
        source: 'local',
        originalName: 'add',
        description: 'Adds two numbers.',
        arguments: { a: 2, b: 3 },
        readOnly: false,
        destructive: true,
        idempotent: false,
        openWorld: true,
        round: 0,
        needsApproval: false,
        signal: expect.any(AbortSignal),
      },
    ]);
  });

  it.each([
    ['false', () => false, 'the user said no'],
    ['a reason', () => ({ approved: false, reason: 'not on Sundays' }), 'not on Sundays'],
    ['a promise', async () => ({ approved: false, reason: 'too late' }), 'too late'],
    [
      'a callback that throws',
      () => {
        throw new Error('no window');
      },
      'asking for approval failed',
    ],
    ['a callback that rejects', () => Promise.reject(new Error('gone')), 'asking for approval failed'],
    ['a callback that answers nothing', () => undefined as never, 'returned no valid answer'],
    ['a callback that answers something else', () => 'yes' as never, 'returned no valid answer'],
    [
      'arguments that cannot be sent',
      () => ({ approved: true, arguments: [1] as never }),
      'changed into something that cannot be sent',
    ],
  ] satisfies [string, Approve, string][])(
    'a denial by %s is the output the model reads; the tool does not run, and the loop goes on',
    async (_name, answer, reason) => {
      const { runs, outputs: told, approvals } = await asking(answer);
      expect(runs).toEqual([]);
      expect(told).toEqual([['call_1', expect.stringContaining('"add" was denied and did not run')]]);
      expect(told[0]?.[1]).toContain(reason);
      expect(approvals).toMatchObject([{ callId: 'call_1', tool: 'add', approved: false }]);
    },
  );

  it('edited arguments are what runs, and the model is told', async () => {
    const { runs, outputs: told, approvals } = await asking(() => ({ approved: true, arguments: { a: 20, b: 30 } }));
    expect(runs).toEqual([{ a: 20, b: 30 }]);
    expect(told[0]?.[1]).toContain('50');
    expect(told[0]?.[1]).toContain('changed the arguments before the tool ran: {"a":20,"b":30}');
    expect(approvals).toMatchObject([{ approved: true, isEdited: true }]);
  });

  it.each([null, () => 1, 'x', [1]])('arguments that are changed into %j do not run', async (edited) => {
    const { runs } = await asking(() => ({ approved: true, arguments: edited as never }));
    expect(runs).toEqual([]);
  });

  it('what a callback throws is for whoever watches, not for the model', async () => {
    const { outputs: told, approvals } = await asking(() => Promise.reject(new Error('postgres://me:pw@db')));
    expect(told[0]?.[1]).not.toContain('postgres');
    expect(approvals).toMatchObject([{ reason: 'asking for approval failed (postgres://me:pw@db)' }]);
  });

  it('arguments that the callback changes in place do not run', async () => {
    const { runs } = await asking((call) => {
      (call.arguments as Record<string, number>)['a'] = 999;
      return true;
    });
    expect(runs).toEqual([{ a: 2, b: 3 }]);
  });

  it('arguments that are no JSON are never put before a person', async () => {
    const { add } = adder();
    const approve = vi.fn<Approve>(() => true);
    const { model, requests } = await rig([reply(calls('r1', ['add', '{"a":', 'call_1'])), reply(answering)], {
      tools: { add },
      approve,
    });
    await generateText({ model, prompt: 'Add.' });
    expect(approve).not.toHaveBeenCalled();
    expect(outputs(requests[1])[0]?.[1]).toContain('not valid JSON');
  });

  it('arguments that do not fit the schema are never put before a person', async () => {
    const { add, runs } = adder();
    const approve = vi.fn<Approve>(() => true);
    const { model, requests } = await rig([reply(calls('r1', ['add', { a: 'two' }, 'call_1'])), reply(answering)], {
      tools: { add },
      approve,
    });
    await generateText({ model, prompt: 'Add.' });
    expect(approve).not.toHaveBeenCalled();
    expect(runs).toEqual([]);
    expect(outputs(requests[1])[0]?.[1]).toMatch(/do not match the schema/);
  });

  it('waiting for a person is no silence of the tool', async () => {
    const { add, runs } = adder({ timeoutMs: 30 });
    const { model } = await rig([reply(adding), reply(answering)], {
      tools: { add },
      approve: () => new Promise((resolve) => setTimeout(resolve, 120, true)),
    });
    await generateText({ model, prompt: 'Add.' });
    expect(runs).toHaveLength(1);
  });

  it('an abort while a person is asked ends the call at once, tells the dialog, and nothing runs', async () => {
    const { add, runs } = adder();
    const asked = signalTower();
    const controller = new AbortController();
    let dialog: AbortSignal | undefined;
    const { model, requests } = await rig([reply(adding)], {
      tools: { add },
      approve: ({ signal }) => {
        dialog = signal;
        asked.reach();
        return new Promise(() => {});
      },
    });
    const call = generateText({ model, prompt: 'Add.', abortSignal: controller.signal, maxRetries: 0 });
    await asked.reached;
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(dialog?.aborted).toBe(true);
    expect(runs).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  it('calls that change things are asked about one after another, in the order of the model', async () => {
    const log: string[] = [];
    const tool = (name: string) => toolOf(() => void log.push(`run ${name}`));
    const { model } = await rig([reply(calls('r1', ['one', {}, 'c1'], ['two', {}, 'c2'])), reply(answering)], {
      tools: { one: tool('one'), two: tool('two') },
      approve: async ({ tool: name }) => {
        log.push(`ask ${name}`);
        await Promise.resolve();
        return true;
      },
    });
    await generateText({ model, prompt: 'Go.' });
    expect(log).toEqual(['ask one', 'run one', 'ask two', 'run two']);
  });

  it('the callbacks run in the asynchronous context of the call that caused them', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const see = (): void => void seen.push(storage.getStore());
    const { add } = adder();
    const steps = [reply(calls('r1', ['add', { a: 1, b: 1 }])), reply(answering)];
    const { model } = await rig(steps, {
      tools: { add },
      approve: () => (see(), true),
      redactToolOutput: (output) => (see(), output),
    });
    const result = storage.run('mine', () => streamText({ model, prompt: 'Go.' }));
    await result.consumeStream();
    // approve, and the tool's output.
    expect(seen).toEqual(['mine', 'mine']);
  });
});

describe('approveByAnnotations', () => {
  it('lets the read-only tools of a real MCP server run, and asks about the others', async () => {
    const asked: string[] = [];
    const steps = [
      reply(calls('r1', ['get-sum', { a: 1, b: 2 }, 'c1'], ['wipe', {}, 'c2'], ['append', {}, 'c3'])),
      reply(answering),
    ];
    const { model, requests } = await rig(steps, {
      mcpServers: { everything: { command: process.execPath, args: [everythingPath] } },
      tools: {
        wipe: toolOf(() => 'wiped'),
        append: toolOf(() => 'appended', { destructive: false }),
      },
      approve: approveByAnnotations(
        ({ tool }) => {
          asked.push(tool);
          return tool !== 'wipe';
        },
        { additive: 'allow' },
      ),
    });
    await generateText({ model, prompt: 'Go.' });
    const told = new Map(outputs(requests[1]));
    // The server says of get-sum that it only reads.
    expect(asked).toEqual(['wipe']);
    expect(told.get('c1')).toContain('3');
    expect(told.get('c2')).toContain('denied');
    expect(told.get('c3')).toBe('appended');
  });

  const info = { readOnly: false, destructive: true, needsApproval: false } as ToolApprovalRequest;
  it.each([
    ['a read-only tool runs', { readOnly: true, destructive: false }, {}, true],
    ['a read-only tool that wants approval is asked about', { readOnly: true, needsApproval: true }, {}, 'asked'],
    ['an additive tool is asked about', { destructive: false }, {}, 'asked'],
    ['a destructive tool is asked about', {}, {}, 'asked'],
    ['a rule may allow', {}, { destructive: 'allow' }, true],
    ['a rule may deny', { readOnly: true }, { readOnly: 'deny' }, { approved: false }],
  ] as const)('%s', (_name, call, policy, expected) => {
    const answer = approveByAnnotations(() => 'asked' as never, policy)({ ...info, ...call });
    if (typeof expected === 'object') expect(answer).toMatchObject(expected);
    else expect(answer).toBe(expected);
  });
});

describe('tools that ask for approval themselves (needsApproval of the AI SDK)', () => {
  const delicate = toolOf(() => 'ran', { needsApproval: true });
  const steps = () => [reply(calls('r1', ['delicate', {}, 'c1'])), reply(answering)];

  it('are denied where nobody can be asked, and the model is told why', async () => {
    const { model, requests } = await rig(steps(), { tools: { delicate } });
    await generateText({ model, prompt: 'Go.' });
    expect(outputs(requests[1])[0]?.[1]).toMatch(/denied and did not run.*needs the approval of a person/);
  });

  it('are asked about with their wish', async () => {
    const wishes: boolean[] = [];
    const { model, requests } = await rig(steps(), {
      tools: { delicate },
      approve: ({ needsApproval }) => (wishes.push(needsApproval), true),
    });
    await generateText({ model, prompt: 'Go.' });
    expect(wishes).toEqual([true]);
    expect(outputs(requests[1])).toEqual([['c1', 'ran']]);
  });
});

import { asSchema, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AskedCalls } from '../../src/approval/asked-calls.js';
import { PendingRegistry } from '../../src/approval/pending-registry.js';
import { ChangeSeals } from '../../src/approval/shown-change.js';
import { ApprovalGate } from '../../src/approval/gate.js';
import { RUN, type Verdict } from '../../src/approval/verdict.js';
import { consumeToolApprovalPayload, runInAgentFrame } from '../../src/context/request-context.js';
import { createToolRegistry } from '../../src/tools/registry.js';
import { defineTool, type ToolDef } from '../../src/tools/tool-def.js';
import type { Grant, SwitchedOff } from '../../src/types.js';
import { KeptCalls } from '../../src/store/kept-calls.js';
import { inTurn, KEPT } from '../support/in-turn.js';

const GRANT: Grant = { kind: 'tool', tool: 'act' };
const ASK: Verdict = { decision: 'ask', reason: 'it acts', grant: GRANT };

function act(judge: ToolDef['judge'] = () => ASK): ToolDef {
  return defineTool({ id: 'act', description: 'Acts.', inputSchema: z.object({ what: z.string() }), judge, execute });
}
const execute = async (input: unknown) => ({ ok: true as const, input });
const say = defineTool({ id: 'say', description: 'Says.', inputSchema: z.string(), execute });
const broken = defineTool({
  id: 'broken',
  description: 'Breaks.',
  inputSchema: z.object({}),
  execute: async () => {
    throw new Error('It broke.');
  },
});

function rig(defs: readonly ToolDef[] = [act(), say, broken], grants: Grant[] = [], off: SwitchedOff[] = []) {
  const gate = new ApprovalGate({
    switches: async () => off,
    grants: { list: async () => grants, add: async () => {}, remove: async () => {} },
    pending: new PendingRegistry({ isTurnRunning: () => true }),
    asked: new AskedCalls(),
    changes: new ChangeSeals('secret'),
  });
  const registry = createToolRegistry(Object.fromEntries(defs.map((def) => [def.id, def])), gate);
  return { registry, grants };
}

const SHELL = { kind: 'tool', tool: 'shellCommand' } as const;

function asks(toolset: ToolSet, input: unknown, toolCallId = 'call_1'): unknown {
  const needsApproval = toolset['act']?.needsApproval;
  return typeof needsApproval === 'function' ? needsApproval(input, { toolCallId, messages: [] }) : needsApproval;
}

function run(toolset: ToolSet, id: string, input: unknown, signal?: AbortSignal): unknown {
  return toolset[id]?.execute?.(input, {
    toolCallId: 'call_1',
    messages: [],
    ...(signal === undefined ? {} : { abortSignal: signal }),
  });
}

describe('a set of tools', () => {
  it('has nothing but what was asked for, not even what every object has', () => {
    const { registry } = rig();
    const toolset = registry.buildToolset(['say']);
    expect(Object.keys(toolset)).toEqual(['say']);
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
      expect(toolset[name]).toBeUndefined();
    for (const name of ['constructor', '__proto__', 'nothing']) {
      expect(() => registry.buildToolset([name])).toThrow(`There is no tool "${name}"`);
    }
  });

  it('wraps a plain text for the wire, and unwraps it before the tool runs', async () => {
    const { registry } = rig();
    const toolset = registry.buildToolset(['say']);
    const schema = await asSchema(toolset['say']?.inputSchema).jsonSchema;
    expect(schema).toMatchObject({ type: 'object', required: ['value'], properties: { value: { type: 'string' } } });
    await expect(inTurn({}, () => run(toolset, 'say', { value: 'quack' }))).resolves.toEqual({
      ok: true,
      input: 'quack',
    });
  });

  it('never throws where a tool does', async () => {
    const toolset = rig().registry.buildToolset(['broken']);
    await expect(inTurn({}, () => run(toolset, 'broken', {}))).resolves.toEqual({ ok: false, error: 'It broke.' });
  });

  it('runs nothing of a turn that was stopped', async () => {
    const toolset = rig().registry.buildToolset(['say']);
    const signal = AbortSignal.abort();
    await expect(inTurn({}, () => run(toolset, 'say', { value: 'a' }, signal))).resolves.toEqual({
      ok: false,
      error: 'It was stopped.',
    });
  });
});

describe('in the chat a call', () => {
  it('asks, unless it was granted', async () => {
    const { registry, grants } = rig();
    const toolset = registry.buildToolset(['act']);
    expect(await inTurn({}, () => asks(toolset, { what: 'a' }))).toBe(true);
    grants.push(GRANT);
    expect(await inTurn({}, () => asks(toolset, { what: 'a' }))).toBe(false);
  });

  it('that a grant let run does not run if the grant was taken back before it starts', async () => {
    const { registry, grants } = rig([act()], [GRANT]);
    const toolset = registry.buildToolset(['act']);
    const outcome = await inTurn({}, async () => {
      expect(await asks(toolset, { what: 'a' })).toBe(false);
      grants.pop();
      return run(toolset, 'act', { what: 'a' });
    });
    expect(outcome).toEqual({ ok: false, error: 'This call now needs approval: it acts. Call it again.' });
  });

  it('that was just answered still needs its approval, though it is granted by now, and only once', async () => {
    const { registry } = rig([act()], [GRANT]);
    const toolset = registry.buildToolset(['act']);
    const approvals = { call_1: { id: 'ap_1', approved: true, always: true } };
    await inTurn({ approvals }, async () => {
      expect(await asks(toolset, { what: 'a' })).toBe(true);
      expect(await asks(toolset, { what: 'a' })).toBe(false);
    });
  });

  it('asks where it cannot be judged', async () => {
    const { registry } = rig([
      act(() => {
        throw new Error('no parser');
      }),
    ]);
    expect(await inTurn({}, () => asks(registry.buildToolset(['act']), { what: 'a' }))).toBe(true);
  });

  it('names grants of an earlier version once, and they let nothing run', async () => {
    const kept: Grant[] = [
      { kind: 'command', rule: 'git grep *' },
      { kind: 'command', rule: 'touch *' },
    ];
    const gate = new ApprovalGate({
      switches: async () => [],
      grants: {
        list: async () => kept,
        add: async () => {},
        remove: async (_, removed) =>
          void kept.splice(0, kept.length, ...kept.filter((each) => !removed.includes(each))),
      },
      pending: new PendingRegistry({ isTurnRunning: () => true }),
      asked: new AskedCalls(),
      changes: new ChangeSeals('secret'),
    });
    const settle = (rule: string) =>
      inTurn({}, () => gate.settle({ decision: 'ask', reason: 'it writes', grant: { kind: 'command', rule } }, SHELL));
    expect(await settle('git grep x')).toMatchObject({
      reason: expect.stringMatching(/^it writes\. .*"git grep \*"$/),
    });
    expect(await settle('git grep x')).toMatchObject({ reason: 'it writes' });
    expect(await settle('touch *')).toEqual({ decision: 'run' });
  });

  it('asks where the grants cannot be read', async () => {
    const list = async (): Promise<readonly Grant[]> => {
      throw new Error('disk');
    };
    const gate = new ApprovalGate({
      switches: async () => [],
      grants: { list, add: async () => {}, remove: async () => {} },
      pending: new PendingRegistry({ isTurnRunning: () => true }),
      asked: new AskedCalls(),
      changes: new ChangeSeals('secret'),
    });
    const toolset = createToolRegistry({ act: act() }, gate).buildToolset(['act']);
    expect(await inTurn({}, () => asks(toolset, { what: 'a' }))).toBe(true);
  });

  it('that is refused asks no one and does not run', async () => {
    const { registry } = rig([act(() => ({ decision: 'refuse', reason: 'Never.' }))], [GRANT]);
    const toolset = registry.buildToolset(['act']);
    expect(await inTurn({}, () => asks(toolset, { what: 'a' }))).toBe(false);
    expect(await inTurn({}, () => run(toolset, 'act', { what: 'a' }))).toEqual({ ok: false, error: 'Never.' });
  });

  it('that needed no one when it was judged, and needs somebody by now, does not run', async () => {
    let verdict: Verdict = { decision: 'run' };
    const { registry } = rig([act(() => verdict)]);
    const toolset = registry.buildToolset(['act']);
    await inTurn({}, async () => {
      expect(await asks(toolset, { what: 'a' })).toBe(false);
      verdict = ASK;
      expect(await run(toolset, 'act', { what: 'a' })).toMatchObject({ ok: false });
    });
  });

  it('tells its tool whether it runs by the judgement alone, or by a yes', async () => {
    let verdict: Verdict = { decision: 'run' };
    const told: unknown[] = [];
    const def: ToolDef = {
      ...act(() => verdict),
      execute: async (_input, { isUnasked }) => {
        told.push(isUnasked);
        return { ok: true };
      },
    };
    const toolset = rig([def], [GRANT]).registry.buildToolset(['act']);
    await inTurn({}, async () => {
      await run(toolset, 'act', { what: 'a' });
      verdict = ASK;
      await run(toolset, 'act', { what: 'a' });
    });
    expect(told).toEqual([true, false]);
  });

  it('that was approved does not run if it is refused by now', async () => {
    let verdict: Verdict = { ...ASK };
    const { registry } = rig([act(() => verdict)]);
    const toolset = registry.buildToolset(['act']);
    await inTurn({}, async () => {
      expect(await asks(toolset, { what: 'a' })).toBe(true);
      verdict = { decision: 'refuse', reason: 'It leads elsewhere now.' };
      expect(await run(toolset, 'act', { what: 'a' })).toEqual({ ok: false, error: 'It leads elsewhere now.' });
    });
  });
});

describe('in a sub-agent a call', () => {
  const frame = { agentId: 'agent_1', agentType: 'shell', depth: 1, tools: ['act'], message: KEPT };

  it('is asked about by its stream, as one of the chat is', async () => {
    const toolset = rig().registry.buildToolset(['act']);
    expect(await inTurn({}, () => runInAgentFrame(frame, async () => asks(toolset, { what: 'a' })))).toBe(true);
  });

  it('needs its own answer: one that the person gave to the same id in the chat is not for it', async () => {
    const approvals = { call_1: { id: 'ap1', approved: true } };
    await inTurn({ approvals }, () =>
      runInAgentFrame({ ...frame, message: { ...KEPT, approvals: new Map() } }, async () => {
        expect(consumeToolApprovalPayload('call_1')).toBeUndefined();
      }),
    );
  });

  it('that was granted in the chat runs once it is on disk', async () => {
    const { registry } = rig([act()], [GRANT]);
    const calls = new KeptCalls();
    const message = { ...KEPT, whenKept: calls.when.bind(calls) };
    let isDone = false;
    const running = inTurn({}, () =>
      runInAgentFrame({ ...frame, message }, async () => {
        const toolset = registry.buildToolset(['act']);
        return run(toolset, 'act', { what: 'a' });
      }),
    ).then((output) => {
      isDone = true;
      return output;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isDone).toBe(false);
    calls.note([{ type: 'tool-act', toolCallId: 'call_1', state: 'input-available', input: { what: 'a' } }]);
    await expect(running).resolves.toMatchObject({ ok: true });
  });

  it('does not run if its turn is stopped before it is on disk', async () => {
    const { registry } = rig([act()], [GRANT]);
    const calls = new KeptCalls();
    const stop = new AbortController();
    const running = inTurn({}, () =>
      runInAgentFrame({ ...frame, message: { ...KEPT, whenKept: calls.when.bind(calls) } }, async () => {
        const toolset = registry.buildToolset(['act']);
        return run(toolset, 'act', { what: 'a' }, stop.signal);
      }),
    );
    stop.abort();
    await expect(running).resolves.toMatchObject({ ok: false });
  });

  it.each([true, false])('that only reads waits to be on disk if reads are kept (%s)', async (areReadsKept) => {
    const { registry } = rig([act(() => RUN)]);
    const calls = new KeptCalls();
    const message = { ...KEPT, areReadsKept, whenKept: calls.when.bind(calls) };
    let isDone = false;
    const running = inTurn<Promise<unknown>>({}, () =>
      runInAgentFrame({ ...frame, message }, async () => run(registry.buildToolset(['act']), 'act', { what: 'a' })),
    );
    void running.then(() => (isDone = true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isDone).toBe(!areReadsKept);
    calls.note([{ type: 'tool-act', toolCallId: 'call_1', state: 'input-available', input: { what: 'a' } }]);
    await running;
  });
});

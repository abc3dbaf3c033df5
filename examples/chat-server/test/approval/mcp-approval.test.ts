import type { Approve } from 'responses-loop/v3';
import { describe, expect, it } from 'vitest';
import { AskedCalls } from '../../src/approval/asked-calls.js';
import { PendingRegistry } from '../../src/approval/pending-registry.js';
import { ChangeSeals } from '../../src/approval/shown-change.js';
import { ApprovalGate } from '../../src/approval/gate.js';
import { createMcpApprove, trustedServers } from '../../src/approval/mcp-approval.js';
import { runInAgentFrame } from '../../src/context/request-context.js';
import type { Grant } from '../../src/types.js';
import { inTurn, KEPT } from '../support/in-turn.js';

type Call = Parameters<Approve>[0];

function call(more: Partial<Call> = {}): Call {
  return {
    callId: 'call_1',
    tool: 'read_file',
    source: 'files',
    originalName: 'read_file',
    arguments: { path: 'a.md' },
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    round: 0,
    needsApproval: false,
    signal: new AbortController().signal,
    ...more,
  };
}

function rig(
  grants: readonly Grant[] = [],
  config: Record<string, unknown> = { files: { command: 'x', trust: true } },
) {
  const gate = new ApprovalGate({
    switches: async () => [],
    grants: { list: async () => grants, add: async () => {}, remove: async () => {} },
    pending: new PendingRegistry({ isTurnRunning: () => true }),
    asked: new AskedCalls(),
    changes: new ChangeSeals('secret'),
  });
  return { approve: createMcpApprove(gate, trustedServers(config)) };
}

describe('a call of an MCP tool in the chat', () => {
  it('runs if it only reads and its server is trusted', async () => {
    expect(await inTurn({}, () => rig().approve(call()))).toBe(true);
  });

  it.each([
    ['writes', call({ readOnly: false }), {}],
    ['is of a server that nobody trusts', call(), { files: { command: 'x' } }],
    ['is of a server that is trusted by half', call(), { files: { command: 'x', trust: 'true' } }],
    ['is of another server than the trusted one', call({ source: 'other' }), { files: { trust: true } }],
    ['is of a server with a name that every object has', call({ source: 'constructor' }), {}],
  ])('asks if it %s', async (_name, asked, config) => {
    expect(await inTurn({}, () => rig([], config).approve(asked))).toBe('ask');
  });

  it('runs if this tool of this server was granted', async () => {
    const grant: Grant = { kind: 'mcp', server: 'files', tool: 'write_file' };
    const write = call({ tool: 'write_file', originalName: 'write_file', readOnly: false });
    const ask = (asked: Call): unknown => inTurn({}, () => rig([grant]).approve(asked));
    expect(await ask(write)).toBe(true);
    expect(await ask({ ...write, tool: 'files__write_file' })).toBe(true);
    expect(await ask({ ...write, source: 'other' })).toBe('ask');
    expect(await ask({ ...write, originalName: 'delete_file' })).toBe('ask');
  });

  it('is not covered by a grant for a tool of the app with its name', async () => {
    const grant: Grant = { kind: 'tool', tool: 'writeFile' };
    const asked = call({ tool: 'writeFile', originalName: 'writeFile', readOnly: false });
    expect(await inTurn({}, () => rig([grant]).approve(asked))).toBe('ask');
  });

  it('is denied outside of any turn', async () => {
    expect(await rig().approve(call())).toMatchObject({ approved: false });
  });
});

describe('a call of an MCP tool in a sub-agent', () => {
  const frame = {
    agentId: 'agent_1',
    agentType: 'default',
    depth: 1,
    tools: ['read_file', 'write_file'],
    message: KEPT,
  };

  it('is denied if the agent was not given the tool, also one that would run unasked', async () => {
    const work = async () => rig().approve(call({ tool: 'list_files', originalName: 'list_files' }));
    expect(await inTurn({}, () => runInAgentFrame(frame, work))).toMatchObject({ approved: false });
  });

  it('is asked about by its stream where the chat would ask', async () => {
    const write = call({ tool: 'write_file', originalName: 'write_file', readOnly: false });
    expect(await inTurn({}, () => runInAgentFrame(frame, async () => rig().approve(write)))).toBe('ask');
  });

  it('runs where the chat would not ask', async () => {
    expect(await inTurn({}, () => runInAgentFrame(frame, async () => rig().approve(call())))).toBe(true);
  });
});

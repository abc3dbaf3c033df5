import { describe, expect, it } from 'vitest';
import { type Agents, agentsOfCalls, openAgentApprovals, reduceAgents } from '../../page/lib/agents.js';
import type { AgentItem } from '../../page/lib/api-types.js';
import type { ToolPart } from '../../page/lib/parts.js';

const NO_AGENTS: Agents = new Map();
const hear = (agents: Agents, type: string, data: object): Agents =>
  reduceAgents(agents, { type: 'data', part: { type: `data-sub-agent-${type}`, data } });
const call = (toolCallId: string, task: string, output?: object): ToolPart =>
  ({ type: 'tool-subAgent', toolCallId, state: 'input-available', input: { task }, output }) as unknown as ToolPart;

const STORED: AgentItem = {
  agentId: 'a1',
  title: '',
  agentType: 'shell',
  task: 'Count',
  state: 'running',
  messageId: 'm1',
  toolCallId: 'c1',
  questions: [],
  canContinue: false,
};
const started = hear(NO_AGENTS, 'start', { agentId: 'a1', agentType: 'shell', task: 'Count' });

describe('a sub-agent on the page', () => {
  it('says what it writes and does, and how it ended', () => {
    const spoken = hear(hear(started, 'delta', { agentId: 'a1', text: 'One, ' }), 'delta', {
      agentId: 'a1',
      text: 'two',
    });
    const chunk = {
      type: 'tool-input-available',
      toolCallId: 'c1',
      toolName: 'shellCommand',
      input: { actionName: 'Count' },
    };
    const working = hear(spoken, 'chunk', { agentId: 'a1', chunk });
    const done = hear(working, 'chunk', { agentId: 'a1', chunk: { type: 'tool-output-available', toolCallId: 'c1' } });
    expect(hear(done, 'end', { agentId: 'a1', state: 'done', summary: 'Two.' }).get('a1')).toMatchObject({
      agentType: 'shell',
      text: 'One, two',
      summary: 'Two.',
      state: 'done',
      steps: [{ toolName: 'shellCommand', call: { isOwn: true, input: { actionName: 'Count' } }, state: 'done' }],
    });
  });

  it.each([
    ['done', { output: { ok: true } }],
    ['failed', { output: { ok: false, error: 'It ended with exit code 1.' } }],
    ['failed', { output: { isError: true, content: [] } }],
    ['denied', { output: { ok: false, isDenied: true, error: 'The person did not allow it.' } }],
  ] as const)('says of a step that it is %s where its output was %o', (state, output) => {
    const begun = { type: 'tool-input-available', toolCallId: 'c1', toolName: 'writeFile', input: {} };
    const ended = { type: 'tool-output-available', toolCallId: 'c1', ...output };
    const agents = hear(hear(started, 'chunk', { agentId: 'a1', chunk: begun }), 'chunk', {
      agentId: 'a1',
      chunk: ended,
    });
    expect(agents.get('a1')?.steps).toMatchObject([{ toolName: 'writeFile', state }]);
  });

  it('has its questions open until they are answered, here or elsewhere', () => {
    const descriptor = { class: 'danger', reason: 'it deletes', always: false };
    const question = { agentId: 'a1', toolCallId: 'c1', toolName: 'writeFile', input: {}, descriptor };
    const asking = hear(started, 'approval', question);
    expect(openAgentApprovals(asking)).toMatchObject([{ toolCallId: 'c1', descriptor }]);
    const answered = reduceAgents(asking, { type: 'answered', toolCallId: 'c1', answer: 'approved' });
    expect(openAgentApprovals(answered)).toHaveLength(0);
  });

  it.each([
    [
      'the stream told so',
      (agents: Agents) => hear(agents, 'end', { agentId: 'a1', state: 'aborted', summary: undefined }),
    ],
    [
      'the store has it so',
      (agents: Agents) => {
        return reduceAgents(agents, { type: 'stored', items: [{ ...STORED, state: 'interrupted' }] });
      },
    ],
  ])('waits for nobody once it has ended: %s', (_name, end) => {
    const question = { agentId: 'a1', toolCallId: 'c1', toolName: 'writeFile', input: {} };
    const ended = end(hear(started, 'approval', question));
    expect(openAgentApprovals(ended)).toEqual([]);
    expect(ended.get('a1')?.approvals).toMatchObject([{ answer: 'not answered, not run' }]);
  });

  it('belongs to the call whose output names it, or else whose task it has', () => {
    const two = hear(started, 'start', { agentId: 'a2', agentType: 'shell', task: 'Count' });
    const found = agentsOfCalls([call('c1', 'Count'), call('c2', 'Count', { agentId: 'a1' })], two);
    expect([...found].map(([id, { agentId }]) => [id, agentId])).toEqual([
      ['c2', 'a1'],
      ['c1', 'a2'],
    ]);
  });

  it('that waits in the store has its questions open, whole', () => {
    const question = { toolCallId: 'q1', toolName: 'writeFile', input: { path: 'a' }, isOwn: true, descriptor: {} };
    const items: AgentItem[] = [{ ...STORED, state: 'waiting', questions: [question] }];
    const agents = reduceAgents(NO_AGENTS, { type: 'stored', items });
    expect(openAgentApprovals(agents)).toEqual([{ ...question, answer: 'open' }]);
  });

  it('has no open question once another tab answered it', () => {
    const question = { agentId: 'a1', toolCallId: 'q1', toolName: 'writeFile', input: {} };
    const asking = hear(started, 'approval', question);
    expect(asking.get('a1')?.state).toBe('waiting');
    const answered = hear(asking, 'answer', { agentId: 'a1', toolCallId: 'q1', approved: false });
    expect(openAgentApprovals(answered)).toEqual([]);
    expect(answered.get('a1')).toMatchObject({ state: 'running', approvals: [{ answer: 'rejected' }] });
  });

  it('tells how far its call is, and that its model is asked again', () => {
    const begun = { type: 'tool-input-available', toolCallId: 'c1', toolName: 'count', input: {} };
    const progress = { toolCallId: 'c1', progress: 1, total: 3 };
    const heard = [
      begun,
      { type: 'data-progress', data: progress },
      { type: 'data-retry', data: { attempt: 2, of: 3 } },
    ];
    const agents = heard.reduce((all, chunk) => hear(all, 'chunk', { agentId: 'a1', chunk }), started);
    expect(agents.get('a1')).toMatchObject({ steps: [{ progress }], retry: { attempt: 2, of: 3 } });
    const answering = hear(agents, 'chunk', {
      agentId: 'a1',
      chunk: { type: 'data-retry', data: { attempt: 0, of: 0 } },
    });
    expect(answering.get('a1')?.retry).toBeUndefined();
  });

  it('of the store belongs to the very call that it works for', () => {
    const items = ['c1', 'c2'].map((toolCallId, n) => ({ ...STORED, agentId: `a${n}`, toolCallId })).toReversed();
    const found = agentsOfCalls(
      [call('c1', 'Count'), call('c2', 'Count')],
      reduceAgents(NO_AGENTS, { type: 'stored', items }),
      'm1',
    );
    expect([...found].map(([id, { agentId }]) => [id, agentId])).toEqual([
      ['c1', 'a0'],
      ['c2', 'a1'],
    ]);
  });

  it('is not made of other data, nor of data without an id', () => {
    expect(hear(NO_AGENTS, 'delta', { text: 'lost' })).toBe(NO_AGENTS);
    expect(reduceAgents(NO_AGENTS, { type: 'data', part: { type: 'data-usage', data: { agentId: 'a1' } } })).toBe(
      NO_AGENTS,
    );
  });
});

import { describe, expect, it } from 'vitest';
import { type Agents, agentsOfCalls, openAgentApprovals, reduceAgents } from '../../page/lib/agents.js';
import type { ToolPart } from '../../page/lib/parts.js';

const NO_AGENTS: Agents = new Map();
const hear = (agents: Agents, type: string, data: object): Agents =>
  reduceAgents(agents, { type: 'data', part: { type: `data-sub-agent-${type}`, data } });
const call = (toolCallId: string, task: string, output?: object): ToolPart =>
  ({ type: 'tool-subAgent', toolCallId, state: 'input-available', input: { task }, output }) as unknown as ToolPart;

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
        const item = { agentId: 'a1', title: '', agentType: 'shell', task: 'Count', state: 'interrupted' } as const;
        return reduceAgents(agents, { type: 'stored', items: [item] });
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

  it('is not made of other data, nor of data without an id', () => {
    expect(hear(NO_AGENTS, 'delta', { text: 'lost' })).toBe(NO_AGENTS);
    expect(reduceAgents(NO_AGENTS, { type: 'data', part: { type: 'data-usage', data: { agentId: 'a1' } } })).toBe(
      NO_AGENTS,
    );
  });
});

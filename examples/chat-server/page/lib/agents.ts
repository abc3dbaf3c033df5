import { getToolName } from 'ai';
import type { AgentQuestion, ChatData } from '../../src/types.js';
import type { AgentItem } from './api-types.js';
import type { ShownCall } from './call-views.js';
import { asObject, callOf, stateOfOutput, stringIn, type ToolPart } from './parts.js';

/** A call of a sub-agent that a person has to agree to. */
export interface AgentApproval extends AgentQuestion {
  readonly answer: 'open' | 'approved' | 'rejected' | 'answered elsewhere' | 'not answered, not run';
}

export interface AgentStep {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly state: 'running' | 'done' | 'failed' | 'denied';
  readonly call: ShownCall;
  readonly progress?: ChatData['progress'] | undefined;
}

/** A sub-agent as the stream tells of it. */
export interface AgentView {
  readonly agentId: string;
  readonly agentType: string;
  readonly task: string;
  readonly state: AgentItem['state'];
  readonly text: string;
  readonly summary: string | undefined;
  readonly steps: readonly AgentStep[];
  readonly approvals: readonly AgentApproval[];
  readonly canContinue: boolean;
  /** The message of the chat, and the call, that it works for; only the store knows. */
  readonly messageId?: string | undefined;
  readonly toolCallId?: string | undefined;
  /** Its model is asked again, since it failed. */
  readonly retry?: ChatData['retry'] | undefined;
}

export type Agents = ReadonlyMap<string, AgentView>;

export type AgentEvent =
  | { readonly type: 'forget' }
  | { readonly type: 'stored'; readonly items: readonly AgentItem[] }
  | { readonly type: 'answered'; readonly toolCallId: string; readonly answer: AgentApproval['answer'] }
  | { readonly type: 'data'; readonly part: { readonly type: string; readonly data: unknown } };

const NEW = {
  agentType: '',
  task: '',
  state: 'running',
  text: '',
  summary: undefined,
  steps: [],
  approvals: [],
  canContinue: false,
} as const;

export function reduceAgents(agents: Agents, event: AgentEvent): Agents {
  switch (event.type) {
    case 'forget':
      return new Map();
    case 'stored':
      return new Map(event.items.map((item) => [item.agentId, asStored(item, agents.get(item.agentId))]));
    case 'answered':
      return new Map([...agents].map(([id, agent]) => [id, answered(agent, event)]));
    case 'data':
      return afterData(agents, event.part);
  }
}

/** What is stored counts; what was heard is more. */
function asStored({ questions, ...item }: AgentItem, known: AgentView | undefined): AgentView {
  const open = questions.map((question) => ({ ...question, answer: 'open' as const }));
  const isOpen = ({ toolCallId }: AgentApproval): boolean => open.some((one) => one.toolCallId === toolCallId);
  const heard = (known?.approvals ?? []).filter((approval) => !isOpen(approval));
  const { summary = known?.summary } = item;
  return settled({ ...NEW, ...known, ...item, summary, retry: undefined, approvals: [...heard, ...open] });
}

function answered(agent: AgentView, event: Extract<AgentEvent, { type: 'answered' }>): AgentView {
  const approvals = agent.approvals.map((approval) =>
    approval.toolCallId === event.toolCallId ? { ...approval, answer: event.answer } : approval,
  );
  return { ...agent, approvals };
}

function afterData(agents: Agents, { type, data }: { readonly type: string; readonly data: unknown }): Agents {
  const agentId = stringIn(data, 'agentId');
  if (agentId === undefined || !type.startsWith('data-sub-agent-')) return agents;
  const agent = agents.get(agentId) ?? { ...NEW, agentId };
  return new Map(agents).set(agentId, changed(agent, type, data));
}

function changed(agent: AgentView, type: string, data: unknown): AgentView {
  switch (type) {
    case 'data-sub-agent-start': {
      const { agentType, task } = data as ChatData['sub-agent-start'];
      return { ...agent, agentType, task, state: 'running' };
    }
    case 'data-sub-agent-delta': {
      const { text } = data as ChatData['sub-agent-delta'];
      return { ...agent, text: agent.text + text };
    }
    case 'data-sub-agent-chunk':
      return afterChunk(agent, (data as ChatData['sub-agent-chunk']).chunk);
    case 'data-sub-agent-approval': {
      const { toolCallId, toolName, input, isOwn, descriptor } = data as ChatData['sub-agent-approval'];
      const others = agent.approvals.filter((approval) => approval.toolCallId !== toolCallId);
      const question = { toolCallId, toolName, input, isOwn, descriptor, answer: 'open' } as const;
      return { ...agent, state: 'waiting', approvals: [...others, question] };
    }
    case 'data-sub-agent-answer': {
      const { toolCallId, approved } = data as ChatData['sub-agent-answer'];
      const after = answered(agent, { type: 'answered', toolCallId, answer: approved ? 'approved' : 'rejected' });
      return after.approvals.some(({ answer }) => answer === 'open') ? after : { ...after, state: 'running' };
    }
    case 'data-sub-agent-end': {
      const { state, summary } = data as ChatData['sub-agent-end'];
      return settled({ ...agent, state, summary });
    }
    default:
      return agent;
  }
}

/** Nothing waits for an answer in an agent that has ended. */
function settled(agent: AgentView): AgentView {
  if (agent.state === 'running' || agent.state === 'waiting') return agent;
  const approvals = agent.approvals.map((approval) =>
    approval.answer === 'open' ? ({ ...approval, answer: 'not answered, not run' } as const) : approval,
  );
  return { ...agent, approvals };
}

const STEP_ENDS: Readonly<Record<string, AgentStep['state']>> = {
  'tool-output-error': 'failed',
  'tool-input-error': 'failed',
  'tool-output-denied': 'denied',
};

function afterChunk(agent: AgentView, chunk: unknown): AgentView {
  const type = stringIn(chunk, 'type');
  if (type === 'data-retry') {
    const { data } = chunk as { readonly data: ChatData['retry'] };
    return { ...agent, retry: data.attempt > 0 ? data : undefined };
  }
  if (type !== 'data-progress') return { ...agent, steps: stepsAfter(agent.steps, chunk) };
  const { data: progress } = chunk as { readonly data: ChatData['progress'] };
  const isOf = (step: AgentStep): boolean => step.toolCallId === progress.toolCallId;
  return { ...agent, steps: agent.steps.map((step) => (isOf(step) ? { ...step, progress } : step)) };
}

function stepsAfter(steps: readonly AgentStep[], chunk: unknown): readonly AgentStep[] {
  const [type, toolCallId] = [stringIn(chunk, 'type'), stringIn(chunk, 'toolCallId')];
  if (type === undefined || toolCallId === undefined) return steps;
  const known = steps.find((step) => step.toolCallId === toolCallId);
  const isStart = type === 'tool-input-start' || type === 'tool-input-available';
  if (isStart) {
    const { input = known?.call.input, dynamic, providerExecuted } = asObject(chunk);
    const toolName = stringIn(chunk, 'toolName') ?? '';
    const call = { name: toolName, input, isOwn: dynamic !== true && providerExecuted !== true };
    const step = { toolCallId, toolName, state: 'running', call } as const;
    return known ? steps.map((other) => (other === known ? step : other)) : [...steps, step];
  }
  const state = type === 'tool-output-available' ? stateOfOutput(asObject(chunk)['output']) : STEP_ENDS[type];
  if (state === undefined) return steps;
  return steps.map((step) => (step === known ? { ...step, state } : step));
}

export function openAgentApprovals(agents: Agents): readonly AgentApproval[] {
  return [...agents.values()].flatMap(({ approvals }) => approvals).filter(({ answer }) => answer === 'open');
}

/** Which sub-agent each call began: its output names it, or the store knows its call; one that was only heard of is known by its task. */
export function agentsOfCalls(
  parts: readonly ToolPart[],
  agents: Agents,
  messageId?: string,
): ReadonlyMap<string, AgentView> {
  const calls = parts.filter((part) => callOf(part).isOwn && getToolName(part) === 'subAgent');
  const found = new Map<string, AgentView>();
  const taken = new Set<string>();
  const take = (part: ToolPart, agent: AgentView | undefined): void => {
    if (agent === undefined || taken.has(agent.agentId)) return;
    found.set(part.toolCallId, agent);
    taken.add(agent.agentId);
  };
  for (const part of calls) take(part, agents.get(stringIn(part.output, 'agentId') ?? ''));
  for (const part of calls.filter(({ toolCallId }) => !found.has(toolCallId))) {
    take(
      part,
      [...agents.values()].find((agent) => agent.messageId === messageId && agent.toolCallId === part.toolCallId),
    );
  }
  for (const part of calls.filter(({ toolCallId }) => !found.has(toolCallId))) {
    const task = stringIn(part.input, 'task');
    take(
      part,
      [...agents.values()].find(
        (agent) => agent.toolCallId === undefined && agent.task === task && !taken.has(agent.agentId),
      ),
    );
  }
  return found;
}

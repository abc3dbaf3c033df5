import type { SubAgentState } from '../types.js';

/** What may happen to a sub-agent. `cutOff`: its turn ended, and it was not told to stop. */
export type AgentEvent = 'goesOn' | 'asks' | 'done' | 'failed' | 'stopped' | 'cutOff';

const ENDED = { done: 'done', failed: 'failed', stopped: 'aborted' } as const;

/** Where each event leads. What is not here cannot happen: `done`, `failed` and `aborted` are for good. */
const NEXT: Readonly<Record<SubAgentState, Readonly<Partial<Record<AgentEvent, SubAgentState>>>>> = {
  running: { ...ENDED, goesOn: 'running', asks: 'waiting', cutOff: 'interrupted' },
  // Its question is on disk, and nothing runs until it is answered.
  waiting: { ...ENDED, goesOn: 'running', asks: 'waiting', cutOff: 'waiting' },
  interrupted: { ...ENDED, goesOn: 'running', asks: 'waiting', cutOff: 'interrupted' },
  done: {},
  failed: {},
  aborted: {},
};

export function stateAfter(state: SubAgentState, event: AgentEvent): SubAgentState {
  const next = NEXT[state][event];
  if (next === undefined) throw new Error(`A sub-agent that is ${state} knows no "${event}".`);
  return next;
}

/** Whether nothing more comes of it. */
export function isEnded(state: SubAgentState): boolean {
  return Object.keys(NEXT[state]).length === 0;
}

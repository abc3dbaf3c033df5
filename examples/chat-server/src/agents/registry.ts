import { RunningAgent } from './running-agent.js';
import { Slots } from 'responses-loop-example-shared/slots.js';

export interface AgentLimits {
  /** Sub-agents of one chat that work at once; more wait. */
  readonly atOnce: number;
  /** 2: a sub-agent may have sub-agents, and those none. */
  readonly depth: number;
  readonly steps: number;
  readonly ms: number;
}

const AGENT_LIMITS: AgentLimits = { atOnce: 4, depth: 2, steps: 20, ms: 600_000 };

interface SessionAgents {
  readonly slots: Slots;
  readonly running: Map<string, RunningAgent>;
}

/** The sub-agents that run now, by chat. What is not here and was running is interrupted. */
export class AgentRegistry {
  readonly #limits: AgentLimits;
  readonly #sessions = new Map<string, SessionAgents>();

  constructor(limits: AgentLimits = AGENT_LIMITS) {
    this.#limits = limits;
  }

  get limits(): AgentLimits {
    return this.#limits;
  }

  isRunning(sessionId: string, agentId: string): boolean {
    return this.find(sessionId, agentId) !== undefined;
  }

  find(sessionId: string, agentId: string): RunningAgent | undefined {
    return this.#sessions.get(sessionId)?.running.get(agentId);
  }

  /** Runs it in its turn, and forgets it however it ends. */
  async run<T>(agent: NewAgent, work: (running: RunningAgent) => Promise<T>): Promise<T> {
    const { sessionId, agentId, parentId, stop } = agent;
    const session = this.#session(sessionId);
    const parent = parentId === undefined ? undefined : session.running.get(parentId);
    const running = new RunningAgent({ slots: session.slots, parent, limitMs: this.#limits.ms, stop });
    session.running.set(agentId, running);
    try {
      return await running.run(() => work(running));
    } finally {
      session.running.delete(agentId);
      if (session.running.size === 0) this.#sessions.delete(sessionId);
    }
  }

  #session(sessionId: string): SessionAgents {
    const found = this.#sessions.get(sessionId) ?? { slots: new Slots(this.#limits.atOnce), running: new Map() };
    this.#sessions.set(sessionId, found);
    return found;
  }
}

export interface NewAgent {
  readonly sessionId: string;
  readonly agentId: string;
  readonly parentId: string | undefined;
  readonly stop: AbortSignal;
}

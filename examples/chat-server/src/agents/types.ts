/** How a sub-agent stands. `interrupted`: the server ended while it ran. */
export type AgentState = 'waiting' | 'running' | 'done' | 'failed' | 'aborted' | 'interrupted';

/** `agents/<agentId>/session.json`. */
export interface AgentRecord {
  readonly version: 1;
  readonly agentId: string;
  readonly agentType: string;
  readonly title: string;
  readonly task: string;
  readonly tools: readonly string[];
  readonly depth: number;
  readonly state: AgentState;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly summary?: string | undefined;
}

/** Who is at work: pushed when a sub-agent begins, popped when it ends. Without one it is the master. */
export interface AgentFrame {
  readonly agentId: string;
  readonly agentType: string;
  /** 1 for a sub-agent of the master. */
  readonly depth: number;
  /** What it may use, and what it may hand on. */
  readonly tools: readonly string[];
}

/** A template's `agent.json` with its `prompt.md`. */
export interface AgentTemplate {
  readonly id: string;
  readonly title: string;
  /** Other names by which the model may ask for it. */
  readonly aliases: readonly string[];
  readonly groups: readonly string[];
  readonly prompt: string;
}

/** What the engine holds itself to. */
export const LIMITS = {
  /** Inputs that wait while a task runs. */
  waitingInputs: 20,
  /** An interrupted stream ends at once; one that takes no notice is not waited for. */
  abortGraceMs: 100,
  /** For processes of tools to end after the session was closed; they are killed after two seconds. */
  toolGraceMs: 5_000,
  /** For one call of a file tool; it runs in a thread or a process that is ended then. */
  fileToolMs: 30_000,
  /** Of what a tool prints, waiting for a reader that is slower. */
  waitingOutputChars: 64_000,
  /** Sub-agents that work at a time, rounds of tool calls of each, and how long each may take. */
  subAgents: 3,
  subAgentRounds: 15,
  subAgentMs: 300_000,
  /** Turns that go on as they are behind a summary. */
  keptTurns: 2,
} as const;

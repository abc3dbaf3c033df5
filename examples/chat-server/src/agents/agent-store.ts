import type { AgentFile, StoredMessage } from '../types.js';

/** The functions of the store that sub-agents are kept by, the same as the chat's. */
export interface AgentStore {
  registerAgentDir(sessionId: string, agentId: string): Promise<void>;
  saveAgentMessage(sessionId: string, agentId: string, message: StoredMessage): Promise<void>;
  writeAgentSessionJson(sessionId: string, agentId: string, file: AgentFile): Promise<void>;
  listAgentIds(sessionId: string): Promise<string[]>;
  readAgentSessionJson(sessionId: string, agentId: string): Promise<AgentFile | undefined>;
  agentMessages(sessionId: string, agentId: string): Promise<StoredMessage[]>;
  /** A path with its pictures in it. */
  forModel(sessionId: string, path: readonly StoredMessage[]): Promise<readonly StoredMessage[]>;
}

/** What was answered to in a chat, or can be. */
export async function askedIds(store: AgentStore, sessionId: string): Promise<string[]> {
  const files = await agentFiles(store, sessionId);
  return files.flatMap(({ asked = [] }) => asked.map(({ id }) => id));
}

/** All sub-agents of a chat whose files can be read, the oldest first. */
export async function agentFiles(store: AgentStore, sessionId: string): Promise<AgentFile[]> {
  const ids = await store.listAgentIds(sessionId);
  const files = await Promise.all(ids.map((agentId) => store.readAgentSessionJson(sessionId, agentId)));
  return files.filter((file) => file !== undefined).toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}

import type { MessagePictures } from '../pictures/message-pictures.js';
import type { AgentFile, StoredMessage } from '../types.js';
import type { ChatStorage } from './chat-storage.js';
import { checkId, isId } from './ids.js';
import { MessageLog } from './message-log.js';
import { Serial } from './serial.js';
import { readAgentFile } from './session-file.js';
import type { SessionStore } from './session-store.js';
import { StoreError } from './store-error.js';
import { MessageTree } from './tree.js';

/** Logs that are kept in memory; the others are read again when they are asked for. */
const LOGS_KEPT = 32;

export interface MessageStoreOptions {
  readonly storage: ChatStorage;
  readonly sessions: SessionStore;
  /** Absent: pictures stay in their messages. */
  readonly pictures?: MessagePictures | undefined;
  /** Whether this server alone writes a session now, so that what was counted stays true. Absent: it writes all. */
  readonly isOurs?: ((sessionId: string) => boolean) | undefined;
  readonly onWarning: (message: string) => void;
}

export interface MessageSummary {
  readonly messageCount: number;
  readonly pendingApprovals: number;
}

/** Messages of sessions and of their sub-agents. What is written to one folder is written one after the other. */
export class MessageStore {
  readonly #options: MessageStoreOptions;
  /** By folder, those used last at the end. */
  readonly #logs = new Map<string, MessageLog>();
  readonly #summaries = new Map<string, MessageSummary>();
  readonly #revisions = new Map<string, number>();
  readonly #serial = new Serial();

  constructor(options: MessageStoreOptions) {
    this.#options = options;
  }

  /** @throws StoreError, if it could not be kept; then nothing has changed. */
  async save(sessionId: string, message: StoredMessage): Promise<void> {
    await this.#saveIn(this.#options.sessions.folderOf(sessionId), sessionId, message);
    this.#changed(sessionId);
  }

  /** A path as a model reads it, with its pictures in it. */
  async forModel(sessionId: string, path: readonly StoredMessage[]): Promise<readonly StoredMessage[]> {
    return (await this.#options.pictures?.restore(sessionId, path)) ?? path;
  }

  /** Whether other servers write messages, too. */
  get isShared(): boolean {
    return this.#options.isOurs !== undefined;
  }

  /** Another number means other messages. */
  revisionOf(sessionId: string): number {
    return this.#revisions.get(sessionId) ?? 0;
  }

  async all(sessionId: string): Promise<StoredMessage[]> {
    return (await this.#read(this.#options.sessions.folderOf(sessionId))).all();
  }

  /** For a look at many sessions: those that are in use stay in memory, and no other takes their place. */
  async allOnce(sessionId: string): Promise<StoredMessage[]> {
    const folder = this.#options.sessions.folderOf(sessionId);
    return this.#serial.run(folder, async () => (await this.#opened(folder)).all());
  }

  async get(sessionId: string, messageId: string): Promise<StoredMessage | undefined> {
    return (await this.#read(this.#options.sessions.folderOf(sessionId))).get(messageId);
  }

  async tree(sessionId: string): Promise<MessageTree> {
    return new MessageTree(await this.all(sessionId));
  }

  async summary(sessionId: string): Promise<MessageSummary> {
    const known = this.#summaries.get(sessionId);
    if (known !== undefined) return known;
    const log = await this.#read(this.#options.sessions.folderOf(sessionId));
    const summary = { messageCount: log.size, pendingApprovals: log.openApprovals };
    if (this.#options.isOurs?.(sessionId) ?? true) this.#summaries.set(sessionId, summary);
    return summary;
  }

  /** Nothing of a session that is gone stays in memory. */
  forget(sessionId: string): void {
    const folder = this.#options.sessions.folderOf(sessionId);
    this.#changed(sessionId);
    for (const key of this.#logs.keys()) if (`${key}/`.startsWith(`${folder}/`)) this.#logs.delete(key);
  }

  /** Makes the folder of a sub-agent. */
  async registerAgentDir(sessionId: string, agentId: string): Promise<void> {
    const { storage } = this.#options;
    const folder = this.#agentFolder(sessionId, agentId);
    try {
      await storage.makeFolder(this.#agentsFolder(sessionId));
      await storage.makeFolder(folder);
    } catch (error) {
      throw new StoreError(error);
    }
  }

  async saveAgentMessage(sessionId: string, agentId: string, message: StoredMessage): Promise<void> {
    await this.#saveIn(this.#agentFolder(sessionId, agentId), sessionId, message);
  }

  async writeAgentSessionJson(sessionId: string, agentId: string, file: AgentFile): Promise<void> {
    const folder = this.#agentFolder(sessionId, agentId);
    await this.#serial.run(folder, async () => {
      try {
        await this.#options.storage.replace(`${folder}/session.json`, `${JSON.stringify(file, null, 2)}\n`);
      } catch (error) {
        throw new StoreError(error);
      }
    });
  }

  async listAgentIds(sessionId: string): Promise<string[]> {
    return (await this.#options.storage.folders(this.#agentsFolder(sessionId))).filter(isId);
  }

  /** `undefined`: there is no such agent, or its file is broken. */
  async readAgentSessionJson(sessionId: string, agentId: string): Promise<AgentFile | undefined> {
    const { storage, onWarning } = this.#options;
    const path = `${this.#agentFolder(sessionId, agentId)}/session.json`;
    const found = readAgentFile(await storage.read(path), agentId);
    if (found.is === 'broken') onWarning(`${storage.nameOf(path)} is left out: ${found.why}.`);
    return found.is === 'there' ? found.file : undefined;
  }

  async agentMessages(sessionId: string, agentId: string): Promise<StoredMessage[]> {
    return (await this.#read(this.#agentFolder(sessionId, agentId))).all();
  }

  idle(): Promise<void> {
    return this.#serial.idle();
  }

  #agentFolder(sessionId: string, agentId: string): string {
    return `${this.#agentsFolder(sessionId)}/${checkId(agentId, 'agentId')}`;
  }

  #agentsFolder(sessionId: string): string {
    return `${this.#options.sessions.folderOf(sessionId)}/agents`;
  }

  async #saveIn(folder: string, sessionId: string, message: StoredMessage): Promise<void> {
    checkId(message.id, 'message.id');
    await this.#serial.run(folder, async () => {
      const log = await this.#log(folder);
      try {
        await log.save((await this.#options.pictures?.keep(sessionId, message)) ?? message);
      } catch (error) {
        throw new StoreError(error);
      }
    });
  }

  /** Behind what is being written: a file that is read in between would lack a line for ever. */
  #read(folder: string): Promise<MessageLog> {
    return this.#serial.run(folder, async () => this.#log(folder));
  }

  #changed(sessionId: string): void {
    this.#summaries.delete(sessionId);
    this.#revisions.set(sessionId, this.revisionOf(sessionId) + 1);
  }

  async #opened(folder: string): Promise<MessageLog> {
    const known = this.#logs.get(folder);
    await known?.refresh();
    const { storage, onWarning } = this.#options;
    return known ?? MessageLog.open({ storage, path: `${folder}/messages.jsonl`, onWarning });
  }

  async #log(folder: string): Promise<MessageLog> {
    const log = await this.#opened(folder);
    // Moves it to the end.
    this.#logs.delete(folder);
    this.#logs.set(folder, log);
    const [oldest] = this.#logs.keys();
    if (this.#logs.size > LOGS_KEPT && oldest !== undefined) this.#logs.delete(oldest);
    return log;
  }
}

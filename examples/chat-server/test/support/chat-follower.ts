import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatPart } from '../../src/types.js';
import type { ChatClient, Chunk, ShownSession } from './chat-client.js';

/** Reads a turn as a client does that comes back behind what it has seen, to whichever server answers. */
export class ChatFollower {
  readonly #session: string;
  /** In the order in which they are asked. */
  readonly #servers: readonly ChatClient[];
  chunks: Chunk[] = [];
  lastId: string | undefined;
  /** How often what it had seen was replaced. */
  reloads = 0;
  isDone = false;

  constructor(session: string, ...servers: readonly ChatClient[]) {
    this.#session = session;
    this.#servers = servers;
  }

  /** Until `isEnough` holds, or the turn has ended. */
  async read(isEnough: (chunks: readonly Chunk[]) => boolean = () => false): Promise<void> {
    while (!this.isDone && !isEnough(this.chunks)) {
      for (const server of this.#servers) {
        if (this.isDone || isEnough(this.chunks)) break;
        await this.#readFrom(server, isEnough);
      }
      await sleep(50);
    }
  }

  async #readFrom(server: ChatClient, isEnough: (chunks: readonly Chunk[]) => boolean): Promise<void> {
    const leave = new AbortController();
    const headers = { ...server.headers, ...(this.lastId !== undefined && { 'last-event-id': this.lastId }) };
    try {
      const init = { headers, signal: leave.signal };
      const response = await server.fetch('GET', `/api/chat/${this.#session}/stream`, undefined, init);
      if (response.status === 204) this.isDone = this.lastId !== undefined;
      if (response.status !== 200 || response.body === null) {
        await response.body?.cancel();
        return;
      }
      let text = '';
      for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
        text += piece;
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) this.#hear(event);
        if (isEnough(this.chunks)) return leave.abort();
      }
      // An end that is none: what it has seen does not count any more.
      if (!this.isDone) this.#reload();
    } catch {
      // The server went first.
    }
  }

  #hear(event: string): void {
    if (event === 'data: [DONE]') this.isDone = true;
    const [, json = '', id] = /^data: (\{.*\})\nid: (\d+)$/s.exec(event) ?? [];
    if (id === undefined) return;
    this.chunks.push(JSON.parse(json) as Chunk);
    this.lastId = id;
  }

  #reload(): void {
    this.reloads += 1;
    this.chunks = [];
    this.lastId = undefined;
  }
}

/** The text of the assistant's messages of a chat, one behind the other. */
export function answersOf({ messages }: ShownSession): string[] {
  return messages.filter(({ role }) => role === 'assistant').map(({ parts }) => textIn(parts));
}

function textIn(parts: readonly ChatPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

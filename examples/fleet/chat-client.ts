import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChatWatch } from './chat-watch.js';
import { codeOf, Connection, type Json, RETRY_MS } from './connection.js';

/** How long a turn that runs nowhere may wait for an instance that takes it over. */
const PATIENCE_MS = 30_000;
/** The message was heard before, or the answer was. */
const HEARD: ReadonlySet<string> = new Set(['message_exists', 'already_answered']);

/** How a client comes back to a turn: behind the number that it has, or as the AI SDK does, from the first chunk. */
export type Resume = 'number' | 'start';

/** A client of chat-server that loses its connections, and goes on at whichever instance answers. */
export class ChatClient {
  readonly #connection: Connection;
  readonly #resume: Resume;
  readonly id = `chat-${randomUUID()}`;

  constructor(urls: () => readonly string[], resume: Resume = 'number', patienceMs?: number) {
    this.#connection = new Connection(urls, patienceMs);
    this.#resume = resume;
  }

  /** The chat as it is stored; without messages, if it is not there yet. */
  async stored(): Promise<Json> {
    for (;;) {
      // An instance may die in the middle of its answer.
      const chat = await this.#connection
        .ask(`/api/sessions/${this.id}`)
        .then(chatIn)
        .catch(() => undefined);
      if (chat !== undefined) return chat;
      await sleep(RETRY_MS);
    }
  }

  async messages(): Promise<Json[]> {
    return (await this.stored()).messages;
  }

  say(id: string, text: string, parent: string | null): Promise<ChatWatch> {
    return this.#submit(id, text, { parentMessageId: parent });
  }

  /** Another version of a message that was answered. */
  edit(id: string, text: string): Promise<ChatWatch> {
    return this.#submit(id, text, { messageId: id });
  }

  approve(questions: readonly string[]): Promise<ChatWatch> {
    const approvals = questions.map((id) => ({ id, approved: true }));
    const wasHeard = async (): Promise<boolean> => questionsIn(await this.messages()).length === 0;
    return this.#turn({ trigger: 'approval-response', approvals }, wasHeard);
  }

  #submit(id: string, text: string, place: object): Promise<ChatWatch> {
    const message = { id, role: 'user', parts: [{ type: 'text', text }] };
    const wasHeard = async (): Promise<boolean> => {
      const { messages, running } = await this.stored();
      const isStored = messages.some((one: Json) => one.id === id && one.parts[0].text === text);
      // One that is stored without a turn is sent again.
      return isStored && (running === true || messages.at(-1)?.id !== id);
    };
    return this.#turn({ trigger: 'submit-message', message, ...place }, wasHeard);
  }

  async #turn(body: object, wasHeard: () => Promise<boolean>): Promise<ChatWatch> {
    const watch = new ChatWatch();
    for (;;) {
      const response = await this.#connection
        .ask('/api/chat', { body: { id: this.id, ...body } })
        .catch(() => undefined);
      if (response?.status === 200) {
        await watch.read(response);
        break;
      }
      if (response?.status === 409 && HEARD.has(await codeOf(response))) break;
      if (await wasHeard()) break;
      await sleep(RETRY_MS);
    }
    await this.#comeBack(watch);
    return watch;
  }

  /** Until the turn has ended, or was left by all instances. */
  async #comeBack(watch: ChatWatch): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    while (!watch.hasEnded) {
      const seen = this.#resume === 'number' ? watch.last : undefined;
      const response = await this.#connection
        .ask(`/api/chat/${this.id}/stream`, seen === undefined ? {} : { seen })
        .catch(() => undefined);
      if (response?.status === 200) {
        if (seen === undefined) watch.startAgain();
        await watch.read(response);
      } else if (response?.status === 204 && (performance.now() > until || (await this.#isOver()))) {
        watch.giveUp(seen === undefined);
      } else await sleep(RETRY_MS);
    }
  }

  /** Nothing runs, and the last word is the model's. */
  async #isOver(): Promise<boolean> {
    const { messages, running } = await this.stored();
    return running !== true && messages.at(-1)?.role === 'assistant';
  }
}

async function chatIn(response: Response): Promise<Json> {
  if (response.ok) return response.json();
  return response.status === 404 ? { messages: [], running: false } : undefined;
}

/** The ids of the questions that wait for an answer. */
export function questionsIn(messages: readonly Json[]): string[] {
  const parts: Json[] = messages.at(-1)?.parts ?? [];
  return parts.flatMap(({ state, approval }) => (state === 'approval-requested' ? [approval.id] : []));
}

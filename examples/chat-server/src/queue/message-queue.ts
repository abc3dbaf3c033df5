import { parseSkillCall } from '../chat/skill-selector.js';
import { HttpError } from '../errors.js';
import type { ChatPart, ChatRequest, QueuedItem, WhileRunning } from '../types.js';

/** A message that waits for a turn, with the model that its sender chose. */
export interface QueuedMessage extends Pick<ChatRequest, 'chatModelId' | 'chatModelSource' | 'reasoningEffort'> {
  readonly id: string;
  readonly parts: readonly ChatPart[];
  /** `steer`: the running turn hears it at its next tool boundary. */
  readonly whileRunning: WhileRunning;
  /** It was there when a turn was cut or the server began: the person alone sends it. */
  readonly isHeld?: boolean | undefined;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/**
 * How a turn ended, as far as the queue is concerned. `asking`: it goes on once the person has answered. `unbegun`: its
 * request was refused, or began none.
 */
export type QueueTurnEnd = 'well' | 'asking' | 'cut' | 'unbegun';

/**
 * The messages of one chat that wait, in the order in which the model will read them: those for the running turn first. One
 * that is on its way to the model can neither be changed nor sent again.
 */
export class MessageQueue {
  #items: readonly QueuedMessage[];
  readonly #onTheWay = new Set<string>();
  /** Why messages could not be sent. */
  readonly #problems = new Map<string, string>();

  constructor(items: readonly QueuedMessage[] = []) {
    this.#items = items;
  }

  get items(): readonly QueuedMessage[] {
    return this.#items;
  }

  /** As clients see it, without the contents of files. */
  get view(): readonly QueuedItem[] {
    return this.#items.map((item) => {
      const { id, parts } = item;
      const problem = this.#problems.get(id);
      const state = this.#onTheWay.has(id) ? 'sending' : stateOf(item);
      const files = parts.flatMap((part) => (part.type === 'file' ? [part.filename ?? part.mediaType] : []));
      const canSteer = isSteerable(parts);
      return { id, text: textOf(parts), files, state, canSteer, ...(problem !== undefined && { problem }) };
    });
  }

  /** What goes out by itself once a turn has ended well. */
  get next(): QueuedMessage | undefined {
    return this.#items.find(({ isHeld }) => isHeld !== true);
  }

  has(id: string): boolean {
    return this.#items.some((item) => item.id === id);
  }

  add(message: QueuedMessage): void {
    this.#items = inOrder([...this.#items, message]);
  }

  /** Another text; files stay. @throws HttpError 404 or 409, and 422 for what the running turn is to hear and cannot. */
  edit(id: string, text: string): void {
    const { whileRunning, parts: old } = this.#free(id);
    const parts: ChatPart[] = [{ type: 'text', text }, ...old.filter(({ type }) => type === 'file')];
    if (whileRunning === 'steer') checkSteerable(parts);
    checkRoom(this.#items.map((item) => (item.id === id ? { ...item, parts } : item)));
    this.#replace(id, { parts });
  }

  /** The running turn is to hear it. @throws HttpError 404 or 409, and 422 for what cannot be told between two rounds. */
  steer(id: string): void {
    checkSteerable(this.#free(id).parts);
    this.#replace(id, { whileRunning: 'steer', isHeld: false });
  }

  /** @throws HttpError 404 or 409. */
  remove(id: string): void {
    this.#free(id);
    this.drop(id);
  }

  /** The model has it. */
  drop(id: string): void {
    this.#items = this.#items.filter((item) => item.id !== id);
    this.#onTheWay.delete(id);
    this.#problems.delete(id);
  }

  /** What the running turn is to hear now. It is on its way from then on. */
  takeSteered(): readonly QueuedMessage[] {
    const taken = this.#items.filter(({ id, whileRunning }) => whileRunning === 'steer' && !this.#onTheWay.has(id));
    for (const { id } of taken) this.#onTheWay.add(id);
    return taken;
  }

  /** Takes a message that is sent as the next one. @throws HttpError 404 or 409. */
  take(id: string): QueuedMessage {
    const message = this.#free(id);
    this.#replace(id, { isHeld: false });
    this.#onTheWay.add(id);
    return message;
  }

  /** The model did not get it after all. With a problem it is not tried again by itself. */
  giveBack(id: string, problem?: string): void {
    this.#onTheWay.delete(id);
    if (problem === undefined || !this.has(id)) return;
    this.#replace(id, { isHeld: true });
    this.#problems.set(id, problem);
  }

  /** Nothing of what waits now goes out by itself any more. */
  hold(): void {
    this.#items = this.#items.map((item) => ({ ...item, isHeld: true }));
  }

  /** What the turn has not heard waits like all others, before them; while the turn is asking, it may still hear it. */
  turnEnded(how: QueueTurnEnd): void {
    if (how === 'unbegun') return;
    this.#onTheWay.clear();
    if (how !== 'asking') this.#items = this.#items.map((item) => ({ ...item, whileRunning: 'queue' }));
    if (how === 'cut') this.hold();
  }

  #free(id: string): QueuedMessage {
    const item = this.#items.find((candidate) => candidate.id === id);
    if (item === undefined) throw new HttpError(404, 'no_such_message', `No message "${id}" waits in this chat.`);
    if (!this.#onTheWay.has(id)) return item;
    throw new HttpError(409, 'message_sent', 'The message is on its way to the model: it cannot be changed any more.');
  }

  #replace(id: string, change: Partial<QueuedMessage>): void {
    this.#problems.delete(id);
    this.#items = inOrder(this.#items.map((item) => (item.id === id ? { ...item, ...change } : item)));
  }
}

const MAX_QUEUED = 20;
const MAX_CHARS = 16_000_000;

/** @throws HttpError 409, if more wait than a chat keeps. */
export function checkRoom(items: readonly QueuedMessage[]): void {
  if (items.length <= MAX_QUEUED && JSON.stringify(items).length <= MAX_CHARS) return;
  const most = `${MAX_QUEUED} messages with ${MAX_CHARS / 1_000_000} million characters`;
  const message = `At most ${most} can wait in a chat. Remove one, shorten one, or wait until the turn has ended.`;
  throw new HttpError(409, 'queue_full', message);
}

/** @throws HttpError 422. */
export function checkSteerable(parts: readonly ChatPart[]): void {
  if (isSteerable(parts)) return;
  const message =
    'A message with files or a skill cannot reach a turn that runs. Send it with "whileRunning": "queue".';
  throw new HttpError(422, 'cannot_steer', message);
}

function stateOf({ whileRunning, isHeld }: QueuedMessage): QueuedItem['state'] {
  if (whileRunning === 'steer') return 'steering';
  return isHeld === true ? 'held' : 'waiting';
}

/** Between two rounds the model reads a text and nothing else. */
function isSteerable(parts: readonly ChatPart[]): boolean {
  return parts.every((part) => part.type === 'text' && parseSkillCall(part.text) === undefined);
}

export function textOf(parts: readonly ChatPart[]): string {
  return parts
    .flatMap((part) => {
      if (part.type === 'data-skill') return [`/skill/${part.data.name}`];
      return part.type === 'text' ? [part.text] : [];
    })
    .join('\n');
}

/** A stable sort. */
function inOrder(items: readonly QueuedMessage[]): readonly QueuedMessage[] {
  return items.toSorted((a, b) => Number(a.whileRunning === 'queue') - Number(b.whileRunning === 'queue'));
}

import type { AdapterMessage, StoredMessage } from '../types/messages.js';
import { AgentError } from './agent-error.js';
import { heldRows } from './as-read.js';
import { deepFreeze, keepable, plainJson } from './plain-json.js';

type Listener = (message: StoredMessage) => void;

/** The rows of a session, in order and frozen. */
export class Transcript {
  readonly #messages: StoredMessage[];
  #view: readonly StoredMessage[] | undefined;
  #held: readonly StoredMessage[] | undefined;
  #lastTurn = 0;
  readonly #listeners = new Set<Listener>();

  constructor(messages: readonly StoredMessage[]) {
    this.#messages = messages.map((message) => deepFreeze(structuredClone(message)));
    for (const { turn } of messages) this.#lastTurn = Math.max(this.#lastTurn, turn);
  }

  /** All rows. The list does not grow: ask again for more. */
  get messages(): readonly StoredMessage[] {
    this.#view ??= Object.freeze([...this.#messages]);
    return this.#view;
  }

  /** The rows that hold: not those of turns that were taken back. */
  get held(): readonly StoredMessage[] {
    this.#held ??= heldRows(this.messages);
    return this.#held;
  }

  /** The last rows that hold, or without a number all rows. @throws AgentError `bad_settings`, if it is no whole number */
  latest(count: number | undefined): readonly StoredMessage[] {
    if (count === undefined) return this.messages;
    if (Number.isSafeInteger(count) && count >= 0) return count === 0 ? [] : this.held.slice(-count);
    throw new AgentError('bad_settings', `The number of rows is ${count}; it has to be a whole number from 0 on.`);
  }

  get lastSeq(): number {
    return this.#messages.at(-1)?.seq ?? 0;
  }

  /** The greatest number: rows may be added to an earlier turn. */
  get lastTurn(): number {
    return this.#lastTurn;
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Adds a new row behind the others. */
  append(draft: AdapterMessage, turn: number, id: string): StoredMessage {
    const row = {
      ...asKept(draft),
      id,
      seq: this.lastSeq + 1,
      turn,
      timestamp: new Date().toISOString(),
    };
    this.#add(row);
    return row;
  }

  /** Takes over rows that another process wrote. */
  adopt(messages: readonly StoredMessage[]): void {
    for (const message of messages) if (message.seq > this.lastSeq) this.#add(structuredClone(message));
  }

  /** Forgets the rows behind a place. */
  cutAfter(seq: number): void {
    const first = this.#messages.findIndex((message) => message.seq > seq);
    if (first !== -1) this.#messages.splice(first);
    this.#lastTurn = this.#messages.reduce((last, { turn }) => Math.max(last, turn), 0);
    this.#view = undefined;
    this.#held = undefined;
  }

  /** Gives the listener all rows that are there, then each new one. */
  subscribe(listener: Listener): () => void {
    for (const message of this.messages) notify(listener, message);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #add(message: StoredMessage): void {
    this.#messages.push(deepFreeze(message));
    this.#lastTurn = Math.max(this.#lastTurn, message.turn);
    this.#view = undefined;
    this.#held = undefined;
    for (const listener of this.#listeners) notify(listener, message);
  }
}

/** Each member by itself: one that cannot be kept must not take the others with it. */
function asKept(draft: AdapterMessage): AdapterMessage {
  const members = Object.entries(draft).map(
    ([name, value]) =>
      [
        name,
        typeof value === 'string' && name !== 'toolResult' && name !== 'toolInput' ? keepable(value) : plainJson(value),
      ] as const,
  );
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as unknown as AdapterMessage;
}

/** A listener that throws must not end the turn. */
function notify(listener: Listener, message: StoredMessage): void {
  try {
    listener(message);
  } catch {
    // Its own affair.
  }
}

import { expect } from 'vitest';

import type { AgentPersister, StoredMessage } from '../../src/index.js';
import { type Instance, type Outcome, StoreModel } from './store-model.js';
import type { Step } from './store-steps.js';
import { type Place, session as sessionOf } from './stored-rows.js';

interface Running extends Instance {
  readonly persister: AgentPersister;
}

/** Does the steps in a store and in the model, and compares all that they tell. */
export async function runSteps(place: Place, steps: readonly Step[], hasTwo: boolean): Promise<void> {
  const run = new Run(place, hasTwo);
  try {
    for (const step of steps) await run.do(step);
    await run.compareAll();
  } finally {
    await run.close();
  }
}

class Run {
  readonly #place: Place;
  readonly #hasTwo: boolean;
  readonly #model = new StoreModel();
  readonly #running: Running[];
  #started = 0;

  constructor(place: Place, hasTwo: boolean) {
    this.#place = place;
    this.#hasTwo = hasTwo;
    this.#running = hasTwo ? [this.#start(), this.#start()] : [this.#start()];
  }

  async do(step: Step): Promise<void> {
    const index = this.#hasTwo ? step.by : 0;
    const by = this.#running[index] as Running;
    if (step.do === 'list') {
      const { items, total } = await by.persister.listSessions(step.query);
      const listed = { total, items: items.map(({ id, messageCount }) => [id, messageCount]) };
      expect(listed).toEqual(this.#model.list(by, step.query));
    } else if (step.do === 'save') {
      const { id, summary, lastActivity, state } = step;
      const data = { summary, lastActivity, state };
      expect(await outcomeOf(by.persister.saveSession(sessionOf(id, data)))).toBe(this.#model.save(by, id, data));
    } else if (step.do === 'add') {
      const wanted = this.#model.add(by, step.id, step.rows);
      expect(await outcomeOf(by.persister.saveMessages(step.id, [...step.rows]))).toBe(wanted);
    } else if (step.do === 'race') await this.#race(step.id, step.rows);
    else if (step.do === 'restart') await this.#restart(index);
    else await this.#simple(step.do, by, step.id);
  }

  /** By both instances: a restart has forgotten nothing. */
  async compareAll(): Promise<void> {
    await this.#restart(0);
    for (const by of this.#running) {
      expect((await by.persister.getAllSessions()).map(({ id }) => id).toSorted()).toEqual(
        [...this.#model.sessions.keys()].toSorted(),
      );
      for (const id of this.#model.sessions.keys()) await this.#read(by, id);
    }
  }

  async close(): Promise<void> {
    // What was refused is said once more at the end.
    await Promise.all(this.#running.map(({ persister }) => persister.close().catch(() => {})));
  }

  async #simple(what: 'delete' | 'deleteRows' | 'claim' | 'read', by: Running, id: string): Promise<void> {
    if (what === 'read') await this.#read(by, id);
    else if (what === 'delete') {
      await by.persister.deleteSession(id);
      this.#model.delete(by, id);
    } else if (what === 'deleteRows') {
      await by.persister.deleteMessages(id);
      this.#model.sessions.get(id)?.rows.clear();
    } else if (this.#model.sessions.get(id)?.holder !== by.name) {
      expect(await by.persister.claimSession?.(id)).toEqual(this.#model.claim(by, id));
    }
  }

  async #read(by: Running, id: string): Promise<void> {
    const [kept, rows] = [await by.persister.getSession(id), await by.persister.getMessages(id)];
    const session = this.#model.sessions.get(id);
    expect(rows).toEqual(this.#model.rows(id));
    expect(JSON.stringify(rows.map(({ toolInput }) => toolInput))).toBe(
      JSON.stringify(this.#model.rows(id).map(({ toolInput }) => toolInput)),
    );
    if (session === undefined) {
      expect(kept).toBeNull();
      return;
    }
    const { summary, lastActivity, state } = session;
    expect(kept).toMatchObject({ summary, lastActivity, state, messageCount: rows.length });
    by.known.add(id);
  }

  /** Two rows at the same moment: the store takes them in one order or the other. */
  async #race(id: string, rows: readonly [StoredMessage, StoredMessage]): Promise<void> {
    const [one, other = one] = this.#running as [Running, Running?];
    const [first, second] = await Promise.all([
      outcomeOf(one.persister.saveMessage(id, rows[0])),
      outcomeOf(other.persister.saveMessage(id, rows[1])),
    ]);
    const kept = (await one.persister.getMessages(id)).find((row) => row.id === rows[1].id);
    const isKept = kept?.seq === rows[1].seq && kept.content === rows[1].content;
    // A row whose id is there already is taken without a word: one that is refused came before.
    const isOtherFirst = rows[0].id === rows[1].id ? first === 'done' && isKept : first === 'refused';
    const calls = [
      () => expect(this.#model.add(one, id, [rows[0]])).toBe(first),
      () => expect(this.#model.add(other, id, [rows[1]])).toBe(second),
    ];
    for (const call of isOtherFirst ? calls.toReversed() : calls) call();
  }

  async #restart(index: number): Promise<void> {
    if (!this.#hasTwo) return;
    await this.#running[index]?.persister.close().catch(() => {});
    this.#running[index] = this.#start();
  }

  #start(): Running {
    this.#started += 1;
    return { name: `instance ${this.#started}`, known: new Set(), deleted: new Set(), persister: this.#place.open() };
  }
}

async function outcomeOf(work: Promise<unknown>): Promise<Outcome> {
  try {
    await work;
    return 'done';
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^(persist_failed|session_deleted)$/) as unknown });
    return 'refused';
  }
}

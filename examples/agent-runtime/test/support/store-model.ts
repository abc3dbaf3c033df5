import { isDeepStrictEqual } from 'node:util';

import type { SessionQuery, SessionState, StoredMessage } from '../../src/index.js';

export interface ModelSession {
  readonly id: string;
  summary: string | null;
  lastActivity: string;
  state: SessionState;
  /** The instance in a turn of it. */
  holder: string | undefined;
  readonly rows: Map<string, StoredMessage>;
}

/** Of one instance: what it has seen and deleted since it started. */
export interface Instance {
  readonly name: string;
  readonly known: Set<string>;
  readonly deleted: Set<string>;
}

export type Outcome = 'done' | 'refused';

/** What stores are to do, said as plainly as possible. Sessions stand in the order in which they were made. */
export class StoreModel {
  readonly sessions = new Map<string, ModelSession>();

  save(
    by: Instance,
    id: string,
    { summary, lastActivity, state }: Omit<ModelSession, 'id' | 'rows' | 'holder'>,
  ): Outcome {
    if (summary !== null && !isText(summary)) return 'refused';
    if (by.deleted.has(id)) return 'done';
    const session = this.sessions.get(id);
    if (session === undefined) {
      if (by.known.has(id)) return 'refused';
      this.sessions.set(id, { id, summary, lastActivity, state, holder: undefined, rows: new Map() });
    } else {
      if (session.holder !== undefined && session.holder !== by.name) return 'done';
      Object.assign(session, { summary, lastActivity, state, holder: undefined });
    }
    by.known.add(id);
    return 'done';
  }

  add(by: Instance, id: string, rows: readonly StoredMessage[]): Outcome {
    if (rows.length === 0) return 'done';
    const session = this.sessions.get(id);
    if (session === undefined || by.deleted.has(id)) return 'refused';
    const added = new Map<string, StoredMessage>();
    for (const row of rows) {
      if (!isText(row.content) || !isJson(row.toolInput)) return 'refused';
      if (session.rows.has(row.id) || added.has(row.id)) continue;
      const isOfAnother = [...this.sessions.values()].some((other) => other.rows.has(row.id));
      const all = [...session.rows.values(), ...added.values()];
      if (isOfAnother || all.some(({ seq }) => seq === row.seq)) return 'refused';
      added.set(row.id, row);
    }
    for (const [rowId, row] of added) session.rows.set(rowId, row);
    return 'done';
  }

  delete(by: Instance, id: string): void {
    this.sessions.delete(id);
    by.deleted.add(id);
  }

  claim(by: Instance, id: string): object {
    const session = this.sessions.get(id);
    if (session === undefined) return { outcome: 'deleted' };
    if (session.state === 'completed') return { outcome: 'closed', state: 'completed' };
    if (session.holder !== undefined) return { outcome: 'busy' };
    Object.assign(session, { state: 'active', holder: by.name });
    return { outcome: 'claimed', wasActive: false };
  }

  list(by: Instance, { search, idPrefix = '', state, limit = Infinity, offset = 0 }: SessionQuery): object {
    const wanted = lower(search ?? '');
    const found = [...this.sessions.values()]
      .toReversed()
      .toSorted((one, other) => Date.parse(other.lastActivity) - Date.parse(one.lastActivity))
      .filter((session) => session.id.startsWith(idPrefix) && (state ?? session.state) === session.state)
      .filter(({ summary, rows }) =>
        [summary ?? '', ...[...rows.values()].map(({ content }) => content)].some((text) =>
          lower(text).includes(wanted),
        ),
      );
    const page = found.slice(offset, offset + limit);
    for (const { id } of page) by.known.add(id);
    return { total: found.length, items: page.map(({ id, rows }) => [id, rows.size]) };
  }

  rows(id: string): StoredMessage[] {
    return [...(this.sessions.get(id)?.rows.values() ?? [])].toSorted((one, other) => one.seq - other.seq);
  }
}

function isText(text: string): boolean {
  return !text.includes('\0') && Buffer.from(text, 'utf8').toString('utf8') === text;
}

function isJson(value: unknown): boolean {
  return value === undefined || isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value);
}

function lower(text: string): string {
  return [...text].map((letter) => (letter >= 'A' && letter <= 'Z' ? letter.toLowerCase() : letter)).join('');
}

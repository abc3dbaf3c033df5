import type { Pool } from 'pg';
import { inTransaction } from '../postgres.js';
import { CHANNEL } from './database.js';
import type { KeptEvent, KeptTurn, LatestTurn, NewTurn } from './types.js';

/** Events that one answer of the database holds. */
const PAGE = 500;
/** How often the database hears of a guarded write that goes on. */
const BEAT_MS = 1_000;
/** Streams that are looked at together. */
const STREAMS = 100;

/** A turn as this instance holds it: what is written for another epoch is refused. */
export interface HeldTurn extends KeptTurn {
  readonly epoch: number;
  readonly stop: string | undefined;
}

/** Where the news are heard that a turn is to stop. */
export function stopsOf(id: string): string {
  return `stop ${id}`;
}

/** What the events of a turn become: those after `after`, if it is set, are replaced. */
export interface Append {
  readonly after?: number | undefined;
  readonly events: readonly KeptEvent[];
  /** The turn ends with them. */
  readonly isLast?: boolean | undefined;
}

/** The tables of turns, of one application. */
export class TurnTables {
  readonly #pool: Pool;
  readonly #application: string;

  constructor(pool: Pool, application: string) {
    this.#pool = pool;
    this.#application = application;
  }

  /** `undefined`: the stream has a turn that runs. */
  start({ id, stream, input }: NewTurn, instance: string): Promise<KeptTurn | undefined> {
    return inTransaction(this.#pool, async (client) => {
      const added = await client.query(
        `INSERT INTO responses_loop.turns (id, application, stream, input, instance) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING`,
        [id, this.#application, stream, JSON.stringify(input), instance],
      );
      if (added.rowCount === 0) return undefined;
      // A statement of its own: the turn before may have ended while this one waited for it.
      const { rows } = await client.query<{ before: string }>(
        `UPDATE responses_loop.turns SET before = coalesce(
           (SELECT max(seq) FROM responses_loop.events WHERE application = $2 AND stream = $3), 0)
         WHERE id = $1 RETURNING before`,
        [id, this.#application, stream],
      );
      const before = Number(rows[0]?.before);
      // Of the turns before, the events of the last one stay: clients may still read its end.
      await client.query(
        `DELETE FROM responses_loop.events WHERE application = $1 AND stream = $2 AND turn <>
           (SELECT turn FROM responses_loop.events WHERE application = $1 AND stream = $2 ORDER BY seq DESC LIMIT 1)`,
        [this.#application, stream],
      );
      return { id, stream, input, before };
    });
  }

  async latest(stream: string): Promise<(HeldTurn & LatestTurn) | undefined> {
    const { rows } = await this.#pool.query<TurnRow>(
      `SELECT * FROM responses_loop.turns WHERE application = $1 AND stream = $2
       ORDER BY ended_at DESC NULLS FIRST LIMIT 1`,
      [this.#application, stream],
    );
    return rows[0] && { ...heldTurn(rows[0]), hasEnded: rows[0].ended_at !== null };
  }

  async hasEnded(id: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      'SELECT 1 FROM responses_loop.turns WHERE id = $1 AND ended_at IS NULL',
      [id],
    );
    return rowCount === 0;
  }

  /** The turn, for one attempt of this instance; earlier attempts may write nothing more. `undefined`: it has ended. */
  async take(id: string, instance: string): Promise<HeldTurn | undefined> {
    const { rows } = await this.#pool.query<TurnRow>(
      `UPDATE responses_loop.turns SET epoch = epoch + 1, instance = $2, claimed_at = now()
       WHERE id = $1 AND ended_at IS NULL RETURNING *`,
      [id, instance],
    );
    return rows[0] && heldTurn(rows[0]);
  }

  /** Another instance may take it at once. */
  async giveBack({ id, epoch }: HeldTurn): Promise<void> {
    await this.#pool.query(
      `UPDATE responses_loop.turns SET instance = '' WHERE id = $1 AND epoch = $2 AND ended_at IS NULL
       RETURNING pg_notify('${CHANNEL}', $3)`,
      [id, epoch, this.#payload('')],
    );
  }

  /** The streams whose turn has not ended. */
  async running(): Promise<ReadonlySet<string>> {
    const { rows } = await this.#pool.query<{ stream: string }>(
      'SELECT stream FROM responses_loop.turns WHERE application = $1 AND ended_at IS NULL',
      [this.#application],
    );
    return new Set(rows.map(({ stream }) => stream));
  }

  async isHeld({ id, epoch }: HeldTurn): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      'SELECT 1 FROM responses_loop.turns WHERE id = $1 AND epoch = $2 AND ended_at IS NULL',
      [id, epoch],
    );
    return rowCount === 1;
  }

  /** Runs `write` while nobody can take the turn; `undefined`: another attempt has it. */
  async whileHeld<T>({ id, epoch }: HeldTurn, write: () => Promise<T>): Promise<{ readonly value: T } | undefined> {
    return inTransaction(this.#pool, async (client) => {
      // An instance that freezes here must not keep the others from taking its turn.
      await client.query(`SET LOCAL idle_in_transaction_session_timeout = '3s'`);
      const { rowCount } = await client.query(
        'SELECT 1 FROM responses_loop.turns WHERE id = $1 AND epoch = $2 AND ended_at IS NULL FOR SHARE',
        [id, epoch],
      );
      if (rowCount !== 1) return undefined;
      // A write that takes long is no sign of that, as long as this process runs.
      const beat = setInterval(() => void client.query('SELECT 1').catch(() => {}), BEAT_MS);
      try {
        return { value: await write() };
      } finally {
        clearInterval(beat);
      }
    });
  }

  /** Keeps events; false if another attempt has the turn. Twice the same is once. */
  async append(turn: HeldTurn, { after, events, isLast = false }: Append): Promise<boolean> {
    const { rows } = await this.#pool.query<{ held: string }>(
      `WITH held AS (
         SELECT id FROM responses_loop.turns WHERE id = $1 AND epoch = $2 AND ended_at IS NULL FOR SHARE),
       gone AS (
         DELETE FROM responses_loop.events USING held
         WHERE application = $3 AND stream = $4 AND seq > $5 AND seq < $6),
       added AS (
         INSERT INTO responses_loop.events (application, stream, seq, turn, body)
         SELECT $3, $4, given.seq, held.id, given.body FROM held, unnest($7::bigint[], $8::text[]) AS given(seq, body)
         ON CONFLICT DO NOTHING),
       ended AS (
         UPDATE responses_loop.turns SET ended_at = now() FROM held WHERE turns.id = held.id AND $10::boolean)
       SELECT count(*) AS held, pg_notify('${CHANNEL}', $9) FROM held`,
      [
        ...[turn.id, turn.epoch, this.#application, turn.stream],
        ...[after ?? 0, after === undefined ? 0 : (events[0]?.seq ?? Number.MAX_SAFE_INTEGER)],
        ...[events.map(({ seq }) => seq), events.map(({ event }) => JSON.stringify(event))],
        this.#payload(turn.stream),
        isLast,
      ],
    );
    return rows[0]?.held === '1';
  }

  /** Ends a turn: whoever follows it is told. False if another attempt has it. */
  async end({ id, epoch, stream }: HeldTurn): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `UPDATE responses_loop.turns SET ended_at = now() WHERE id = $1 AND epoch = $2 AND ended_at IS NULL
       RETURNING pg_notify('${CHANNEL}', $3)`,
      [id, epoch, this.#payload(stream)],
    );
    return rowCount === 1;
  }

  /** A page of a turn's events. */
  async events({ id, stream }: NewTurn, after: number): Promise<KeptEvent[]> {
    const { rows } = await this.#pool.query<{ seq: string; body: string }>(
      `SELECT seq, body FROM responses_loop.events
       WHERE application = $1 AND stream = $2 AND turn = $3 AND seq > $4 ORDER BY seq LIMIT ${PAGE}`,
      [this.#application, stream, id, after],
    );
    return rows.map(({ seq, body }) => ({ seq: Number(seq), event: JSON.parse(body) as unknown }));
  }

  async allEvents(turn: KeptTurn): Promise<KeptEvent[]> {
    const events: KeptEvent[] = [];
    for (;;) {
      const page = await this.events(turn, events.at(-1)?.seq ?? turn.before);
      if (page.length === 0) return events;
      events.push(...page);
    }
  }

  /** What was asked for first counts. */
  async stop(id: string, how: string): Promise<void> {
    await this.#pool.query(
      `UPDATE responses_loop.turns SET stop = coalesce(stop, $2) WHERE id = $1 AND ended_at IS NULL
       RETURNING pg_notify('${CHANNEL}', $3)`,
      [id, how, this.#payload(stopsOf(id))],
    );
  }

  async lastSeq(stream: string): Promise<number> {
    const { rows } = await this.#pool.query<{ last: string | null }>(
      'SELECT max(seq) AS last FROM responses_loop.events WHERE application = $1 AND stream = $2',
      [this.#application, stream],
    );
    return Number(rows[0]?.last ?? 0);
  }

  /** Deletes what is kept of a stream, unless a turn of it runs, and gives the ids of its turns. */
  async forget(stream: string): Promise<string[]> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `WITH idle AS (
         SELECT 1 WHERE NOT EXISTS (
           SELECT 1 FROM responses_loop.turns WHERE application = $1 AND stream = $2 AND ended_at IS NULL)),
       gone AS (
         DELETE FROM responses_loop.events USING idle WHERE application = $1 AND stream = $2)
       DELETE FROM responses_loop.turns USING idle WHERE application = $1 AND stream = $2 RETURNING id`,
      [this.#application, stream],
    );
    return rows.map(({ id }) => id);
  }

  /** A page of the streams that have events, in the order of their names. */
  async streams(after: string): Promise<string[]> {
    const { rows } = await this.#pool.query<{ stream: string }>(
      `SELECT stream FROM responses_loop.events WHERE application = $1 AND stream > $2
       GROUP BY stream ORDER BY stream LIMIT ${STREAMS}`,
      [this.#application, after],
    );
    return rows.map(({ stream }) => stream);
  }

  #payload(stream: string): string {
    return `${this.#application}/${stream}`;
  }
}

interface TurnRow {
  readonly id: string;
  readonly stream: string;
  readonly input: string;
  readonly before: string;
  readonly epoch: number;
  readonly stop: string | null;
  readonly ended_at: Date | null;
}

function heldTurn({ id, stream, input, before, epoch, stop }: TurnRow): HeldTurn {
  return {
    ...{ id, stream, epoch },
    input: JSON.parse(input) as unknown,
    before: Number(before),
    stop: stop ?? undefined,
  };
}

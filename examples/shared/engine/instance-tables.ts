import type { Pool } from 'pg';
import { CHANNEL } from './database.js';

/** What is kept of a turn that has ended, for clients that come back. */
const KEPT_FOR = '1 hour';

/** The instances of one application, and who has which turn. */
export class InstanceTables {
  readonly #pool: Pool;
  readonly #application: string;

  constructor(pool: Pool, application: string) {
    this.#pool = pool;
    this.#application = application;
  }

  /** Tells every instance that turns have lost theirs. */
  async call(): Promise<void> {
    await this.#pool.query(`SELECT pg_notify('${CHANNEL}', $1)`, [`${this.#application}/`]);
  }

  async join(instance: string): Promise<void> {
    await this.#pool.query('INSERT INTO responses_loop.instances (id, application) VALUES ($1, $2)', [
      instance,
      this.#application,
    ]);
  }

  async leave(instance: string): Promise<void> {
    await this.#pool.query('DELETE FROM responses_loop.instances WHERE id = $1', [instance]);
  }

  /** A sign of life; false if others have counted this instance as dead. */
  async beat(instance: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query('UPDATE responses_loop.instances SET beat = now() WHERE id = $1', [
      instance,
    ]);
    return rowCount === 1;
  }

  /** Which turns of an instance are to stop, and how. */
  async stops(instance: string): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.#pool.query<{ id: string; stop: string }>(
      `SELECT id, stop FROM responses_loop.turns
       WHERE application = $1 AND instance = $2 AND ended_at IS NULL AND stop IS NOT NULL`,
      [this.#application, instance],
    );
    return new Map(rows.map(({ id, stop }) => [id, stop]));
  }

  /** Counts instances as dead that gave no sign of life for so long. Each is buried once. */
  async bury(deadAfterMs: number): Promise<void> {
    await this.#pool.query(
      `DELETE FROM responses_loop.instances WHERE id IN (
         SELECT id FROM responses_loop.instances
         WHERE application = $1 AND beat < now() - $2 * interval '1 millisecond' FOR UPDATE SKIP LOCKED)`,
      [this.#application, deadAfterMs],
    );
  }

  /**
   * Takes over the turns without a living instance, and those of this one that do not run here after all. A turn of a chat that
   * has a living owner is the owner's.
   */
  async claim(instance: string, running: readonly string[], patienceMs: number): Promise<string[]> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `UPDATE responses_loop.turns SET instance = $2, claimed_at = now() WHERE id IN (
         SELECT id FROM responses_loop.turns AS turn
         WHERE application = $1 AND ended_at IS NULL AND (
           NOT EXISTS (SELECT 1 FROM responses_loop.instances WHERE id = turn.instance)
           OR (instance = $2 AND claimed_at < now() - $4 * interval '1 millisecond' AND id <> ALL ($3::text[])))
         AND NOT EXISTS (
           SELECT 1 FROM responses_loop.owners AS owner JOIN responses_loop.instances ON instances.id = owner.instance
           WHERE owner.application = $1 AND owner.chat = turn.stream AND owner.instance <> $2)
         ORDER BY claimed_at FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [this.#application, instance, running, patienceMs],
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes turns that ended long ago, and gives their ids. */
  async prune(): Promise<string[]> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `DELETE FROM responses_loop.turns WHERE id IN (
         SELECT id FROM responses_loop.turns WHERE application = $1 AND ended_at < now() - interval '${KEPT_FOR}'
         LIMIT 200 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [this.#application],
    );
    return rows.map(({ id }) => id);
  }
}

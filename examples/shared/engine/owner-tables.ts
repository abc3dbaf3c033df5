import type { ClientBase, Pool } from 'pg';
import { inTransaction } from '../postgres.js';

/** Who has a chat, and where other instances reach it, if it has told. */
export interface FoundOwner {
  readonly instance: string;
  readonly address: string | undefined;
}

const FIND = `
  SELECT owner.instance, place.address FROM responses_loop.owners AS owner
  JOIN responses_loop.instances ON instances.id = owner.instance
  LEFT JOIN responses_loop.places AS place ON place.instance = owner.instance
  WHERE owner.application = $1 AND chat = $2`;

/** Which instance has which chat of one application. */
export class OwnerTables {
  readonly #pool: Pool;
  readonly #application: string;

  constructor(pool: Pool, application: string) {
    this.#pool = pool;
    this.#application = application;
  }

  /** Takes a chat that no living instance has, and gives its owner. `undefined`: the instance counts as dead itself. */
  claim(chat: string, { instance, address }: FoundOwner): Promise<FoundOwner | undefined> {
    return inTransaction(this.#pool, async (client) => {
      // A statement of its own: what follows sees every instance that may have taken the chat meanwhile.
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [`${this.#application}/${chat}`]);
      const claimed = await client.query(
        `WITH me AS (SELECT id FROM responses_loop.instances WHERE id = $3 FOR KEY SHARE),
         place AS (
           INSERT INTO responses_loop.places (instance, address) SELECT id, $4 FROM me WHERE $4::text IS NOT NULL
           ON CONFLICT (instance) DO NOTHING)
         INSERT INTO responses_loop.owners AS owner (application, chat, instance) SELECT $1, $2, id FROM me
         ON CONFLICT (application, chat) DO UPDATE SET instance = EXCLUDED.instance
         WHERE NOT EXISTS (SELECT 1 FROM responses_loop.instances WHERE id = owner.instance)
         RETURNING instance`,
        [this.#application, chat, instance, address],
      );
      if (claimed.rowCount === 1) return { instance, address };
      return this.find(chat, client);
    });
  }

  /** The living owner of a chat, without a claim. */
  async find(chat: string, client: Pool | ClientBase = this.#pool): Promise<FoundOwner | undefined> {
    const { rows } = await client.query<{ instance: string; address: string | null }>(FIND, [this.#application, chat]);
    return rows[0] && { instance: rows[0].instance, address: rows[0].address ?? undefined };
  }

  /** Which of these instances give signs of life. */
  async living(instances: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.#pool.query<{ id: string }>(
      'SELECT id FROM responses_loop.instances WHERE id = ANY ($1::text[])',
      [instances],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Until the end of the client's transaction nobody can take the chat; false if another instance has it. */
  async hold(client: ClientBase, chat: string, instance: string): Promise<boolean> {
    const { rowCount } = await client.query(
      'SELECT 1 FROM responses_loop.owners WHERE application = $1 AND chat = $2 AND instance = $3 FOR SHARE',
      [this.#application, chat, instance],
    );
    return rowCount === 1;
  }

  async release(chats: readonly string[], instance: string): Promise<void> {
    await this.#pool.query(
      'DELETE FROM responses_loop.owners WHERE application = $1 AND chat = ANY ($2::text[]) AND instance = $3',
      [this.#application, chats, instance],
    );
  }
}

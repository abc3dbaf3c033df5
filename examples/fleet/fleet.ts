import { setTimeout as sleep } from 'node:timers/promises';
import type { TestPostgres } from 'responses-loop-example-shared/test-support/postgres.mjs';
import type { Instance } from './instance.js';
import type { Place, Target } from './target.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

/** Instances that are ended in every way there is, and come back. The first one reaches the database by a way that can be cut. */
export class Fleet {
  readonly #target: Target;
  readonly #place: Place;
  readonly #way: TcpProxy;
  readonly #instances: (Instance | undefined)[] = [];
  #starts = 0;
  kills = 0;

  private constructor(target: Target, place: Place, way: TcpProxy) {
    this.#target = target;
    this.#place = place;
    this.#way = way;
  }

  static async start(target: Target, place: Place, postgres: TestPostgres): Promise<Fleet> {
    const fleet = new Fleet(target, place, await startTcpProxy(postgres.port));
    for (const index of [0, 1, 2]) await fleet.#start(index);
    return fleet;
  }

  /** Those that run, for the clients: what a load balancer knows. */
  get urls(): string[] {
    return this.#instances.flatMap((instance) => (instance?.isRunning === true ? [instance.url] : []));
  }

  async kill(): Promise<void> {
    const index = Math.floor(Math.random() * this.#instances.length);
    this.kills += 1;
    await this.#instances[index]?.end();
    await this.#start(index);
  }

  /** One instance cannot reach the database for a while. */
  async cutOff(forMs: number): Promise<void> {
    this.#way.stall();
    await sleep(forMs);
    this.#way.resume();
  }

  /** One instance does nothing for a while, and then wakes. */
  async freeze(forMs: number): Promise<void> {
    const instance = this.#instances.at(-1);
    instance?.child.kill('SIGSTOP');
    await sleep(forMs);
    instance?.child.kill('SIGCONT');
  }

  /** One after the other is ended in good order and started anew. */
  async roll(): Promise<void> {
    for (const index of this.#instances.keys()) {
      await this.#instances[index]?.end('SIGTERM');
      await this.#start(index);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#instances.map(async (instance) => instance?.end()));
    await this.#way.close();
  }

  async #start(index: number): Promise<void> {
    this.#starts += 1;
    const { database } = this.#place;
    const url = index === 0 ? database.replace(/:\d+\//, `:${this.#way.port}/`) : database;
    this.#instances[index] = await this.#target.start({ ...this.#place, database: url }, `instance-${this.#starts}`);
  }
}

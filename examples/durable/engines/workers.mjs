import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, kill, start, until } from '../support/process.mjs';

const home = fileURLToPath(new URL('..', import.meta.url));

/** Processes of one worker file, each with its ports, which it keeps when it comes back. */
export class Workers {
  #file;
  #place;
  #envOf;
  #children = [];
  #ports;
  #partsPorts;

  static async of(file, count, place, envOf) {
    const ports = [];
    for (let index = 0; index < 2 * count; index += 1) ports.push(await freePort());
    return new Workers(file, place, envOf, ports);
  }

  constructor(file, place, envOf, ports) {
    this.#file = file;
    this.#place = place;
    this.#envOf = envOf;
    this.#ports = ports.slice(0, ports.length / 2);
    this.#partsPorts = ports.slice(ports.length / 2);
  }

  get ports() {
    return this.#ports;
  }

  /** Where each serves the parts of its loops. */
  get partsUrls() {
    return this.#partsPorts.map((port) => `http://127.0.0.1:${port}`);
  }

  async start(index) {
    const { dir, modelUrl, ledger } = this.#place;
    const env = {
      ...process.env,
      PORT: String(this.#ports[index]),
      PARTS_PORT: String(this.#partsPorts[index]),
      MODEL_URL: modelUrl,
      LEDGER: ledger,
      ...this.#envOf(index),
    };
    const child = start(process.execPath, [this.#file], { cwd: home, env, log: join(dir, `worker-${index}.log`) });
    this.#children[index] = child;
    await until(`worker ${index} is up`, async () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
      // Any answer will do.
      return (await fetch(`${this.partsUrls[index]}/-`)).status === 404;
    });
  }

  kill(index) {
    return kill(this.#children[index]);
  }

  async stop() {
    await Promise.all(this.#children.map((child) => kill(child)));
  }
}

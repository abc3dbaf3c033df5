import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';

/** What still runs ends with this process. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface InstanceOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly log: string;
}

/** A server as a process of its own, which says where it listens. */
export class Instance {
  readonly url: string;
  readonly child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.child = child;
  }

  static start({ command, env, cwd, log }: InstanceOptions): Promise<Instance> {
    const [program = '', ...args] = command;
    const child = spawn(program, args, {
      ...{ cwd, stdio: ['ignore', 'pipe', 'pipe'] },
      env: { PATH: process.env['PATH'], HOME: cwd, ...env },
    });
    const file = createWriteStream(log, { flags: 'a' });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return new Promise((resolve, reject) => {
      let said = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (data: Buffer) => {
          file.write(data);
          said += String(data);
          const [, url] = /(?:listening on|running at|Chat:) (http:\/\/[^/\s]+)/i.exec(said) ?? [];
          if (url !== undefined) resolve(new Instance(url, child));
        });
      }
      child.once('exit', () => reject(new Error(`It ended before it listened: ${said}`)));
    });
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!this.isRunning) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    // One that is frozen hears nothing else.
    if (signal === 'SIGKILL') this.child.kill('SIGCONT');
    await ended;
  }
}

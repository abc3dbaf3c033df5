import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ResponsesProviderSettings } from 'responses-loop';
import { everythingPath, isAlive } from '../tools/support/servers.js';

type McpServerConfig = NonNullable<ResponsesProviderSettings['mcpServers']>[string];

/** The official demo server as a process, started by the provider and killed by us. */
export interface StdioServer {
  readonly config: McpServerConfig;
  /** SIGKILL, a moment from now. */
  killSoon(): void;
  /** Processes of it that still live. */
  survivors(): Promise<number[]>;
  forget(): Promise<void>;
}

const KILL_AFTER_MS = 30;
let count = 0;

export function createStdioServer(): StdioServer {
  count += 1;
  const pidFile = join(tmpdir(), `chaos-${process.pid}-${count}.pids`);
  const pids = async (): Promise<number[]> => {
    const text = await readFile(pidFile, 'utf8').catch(() => '');
    return text.split('\n').flatMap((line) => (line === '' ? [] : [Number(line)]));
  };
  return {
    config: {
      command: '/bin/sh',
      args: ['-c', 'echo $$ >> "$0"; exec "$1" "$2" stdio', pidFile, process.execPath, everythingPath],
    },
    killSoon() {
      void sleep(KILL_AFTER_MS)
        .then(pids)
        .then((all) => all.filter(isAlive).forEach((pid) => process.kill(pid, 'SIGKILL')))
        .catch(() => {});
    },
    survivors: async () => (await pids()).filter(isAlive),
    forget: () => rm(pidFile, { force: true }),
  };
}

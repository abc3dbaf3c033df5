import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const MB = 1024;

export interface ProcessCost {
  readonly cpuMs: number;
  readonly memoryMb: number;
}

/** What a process has used so far, by what Linux tells of it. */
export function costOfProcess(pid: number): ProcessCost {
  // The name of the process may have spaces; the numbers begin behind it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { cpuMs: (ticks * 1000) / ticksPerSecond(), memoryMb: Number(kilobytes) / MB };
}

let ticks = 0;

function ticksPerSecond(): number {
  ticks ||= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return ticks;
}

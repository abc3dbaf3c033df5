import { readdirSync, readFileSync } from 'node:fs';

export interface LivingProcess {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** Every process that has not ended. Only Linux shows them; elsewhere the list is empty. */
export function livingProcesses(): LivingProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [open, close] = [stat.indexOf('('), stat.lastIndexOf(')')];
      const [state, parent, group, session] = stat.slice(close + 2).split(' ');
      if (state === 'Z' || state === 'X') return [];
      const numbers = { parent: Number(parent), group: Number(group), session: Number(session) };
      return [{ pid: Number(name), name: stat.slice(open + 1, close), ...numbers }];
    } catch {
      return [];
    }
  });
}

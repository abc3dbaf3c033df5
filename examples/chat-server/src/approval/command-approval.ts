import { basename, dirname, join } from 'node:path';
import { type ClassifiedCommand, classifyCommand } from 'responses-loop-example-shared/command-policy.js';
import { rulesOf } from 'responses-loop-example-shared/command-rules.js';
import { isWithin, type PathGuard } from 'responses-loop-example-shared/path-guard.js';
import type { Grant } from '../types.js';
import type { Verdict } from './verdict.js';

export interface CommandPlace {
  readonly root: string;
  readonly guard: PathGuard;
  /** Folders of the server, which no grant reaches. Real paths. */
  readonly closed: readonly string[];
}

/** `safe` runs, `forbidden` is refused without asking, the rest asks; what is dangerous is asked about each time. */
export function judgeCommand(command: string, place: CommandPlace): Verdict {
  const classified = classifyCommand(command, { cwd: place.root, guard: place.guard });
  const { class: of, reason } = classified;
  const isNear = place.closed.some((folder) => command.includes(nameOf(folder, place)));
  if (of === 'safe' && !isNear) return { decision: 'run' };
  if (of === 'forbidden') return { decision: 'refuse', reason: `This command is never run here: ${reason}.` };
  if (of === 'danger') return { decision: 'ask', reason, isDangerous: true };
  // Git shows what was committed of it, and a program may take a path apart in ways that are not known here.
  if (isNear) return { decision: 'ask', reason: 'it names the folder of the chat server' };
  if (touchesData(classified, place)) return { decision: 'ask', reason };
  const { offered, coveredBy } = rulesOf(command, classified, { guard: place.guard, isHome: true });
  const grant: Grant | undefined = offered === undefined ? undefined : { kind: 'command', rule: offered };
  return { decision: 'ask', reason, grant, isCovered: (rules) => coveredBy(rules) !== undefined };
}

/** One name may be that of any folder elsewhere; within the workspace every way to it is looked at. */
function nameOf(folder: string, { root }: CommandPlace): string {
  return isWithin(folder, root) ? basename(folder) : join(basename(dirname(folder)), basename(folder));
}

function touchesData({ parsed }: ClassifiedCommand, { root, guard, closed }: CommandPlace): boolean {
  return parsed.commands.some(({ args }) =>
    args.some(({ value }) => {
      const { path, holdsClosed } = guard.resolve(value, root);
      return holdsClosed || closed.some((folder) => isWithin(path, folder));
    }),
  );
}

import { dataDirOf } from '../config/folders.js';
import { historyOf } from '../rollout/history-events.js';
import { readRollout } from '../rollout/read.js';
import type { EventMessage } from '../protocol/events.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { findSession } from './find-session.js';
import { brief, say, write, writeJson } from './say.js';

/** What was said and done. */
export async function show(prefix: string, { json }: { readonly json?: boolean }): Promise<ExitCode> {
  const { path, summary } = findSession(dataDirOf(process.env), prefix);
  const { lines, problems } = readRollout(path);
  for (const { line, message } of problems) say(`coder: ${path}: line ${line} ${message} and is skipped.`);
  const events = historyOf(lines);
  if (json === true) writeJson({ session: summary ?? { path }, events });
  else for (const event of events) print(event);
  return EXIT.done;
}

function print({ type, data }: EventMessage): void {
  switch (type) {
    case 'user_message':
      return write(`\n> ${data.text}\n\n`);
    case 'agent_message':
      return write(`${data.text}\n`);
    case 'tool_execution_end':
      return write(
        `  [${data.success ? 'ran' : 'failed'}] ${brief(data.title)}${data.success ? '' : `: ${brief(data.error ?? '')}`}\n`,
      );
    case 'approval_decision':
      return data.decision === 'denied'
        ? write(`  [denied] ${data.tool_name ?? ''}: ${brief(data.reason ?? '')}\n`)
        : undefined;
    case 'error':
      return write(`  [error] ${data.message}\n`);
    case 'turn_aborted':
      return write(`  [stopped: ${data.reason}]\n`);
    case 'compaction_complete':
      return write(`  [made shorter]\n`);
    default:
      return undefined;
  }
}

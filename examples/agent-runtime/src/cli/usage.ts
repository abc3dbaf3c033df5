import type { TokenUsage } from '../types/index.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { findSession } from './find-session.js';
import type { GlobalOptions } from './options.js';
import { write, writeJson } from './say.js';
import { withStoredSessions } from './stored-sessions.js';

const KINDS = ['input', 'output', 'cacheRead', 'cacheCreation', 'reasoning'] as const;

/** Tokens of a session, or of all. */
export async function usage(
  prefix: string | undefined,
  options: GlobalOptions & { readonly json?: boolean },
): Promise<ExitCode> {
  const counted = await withStoredSessions(options, async (agent) =>
    prefix === undefined ? agent.getSessions() : [await findSession(agent, prefix)],
  );
  const total = counted.reduce((sum, session) => add(sum, session.usage), NOTHING);
  if (options.json === true) writeJson(total);
  else {
    write(`${total.used} tokens\n`);
    for (const kind of KINDS) write(`  ${kind.padEnd(14)}${total.breakdown[kind]}\n`);
  }
  return EXIT.done;
}

const NOTHING: TokenUsage = {
  used: 0,
  breakdown: { input: 0, output: 0, cacheRead: 0, cacheCreation: 0, reasoning: 0 },
};

function add(sum: TokenUsage, more: TokenUsage | null): TokenUsage {
  if (more === null) return sum;
  const breakdown = { ...sum.breakdown };
  for (const kind of KINDS) breakdown[kind] += more.breakdown[kind];
  return { used: sum.used + more.used, breakdown };
}

import { EXIT, type ExitCode } from './exit-codes.js';
import { loadSession } from './find-session.js';
import { openAgent } from './open-agent.js';
import type { GlobalOptions } from './options.js';
import { say, writeJson } from './say.js';
import { onStopSignals } from './signals.js';
import type { Session } from '../types/index.js';

/** Makes a session shorter for the model; what is stored stays whole. */
export async function compact(prefix: string, options: GlobalOptions & { readonly json?: boolean }): Promise<ExitCode> {
  const { agent, close } = await openAgent(options);
  try {
    const session = await loadSession(agent, prefix);
    const stop = new AbortController();
    const ignoreSignals = onStopSignals(() => stop.abort());
    try {
      const compaction = await session.compact({ signal: stop.signal });
      if (options.json === true) writeJson({ compaction });
      else say(compactionLine(compaction));
    } finally {
      ignoreSignals();
    }
    return EXIT.done;
  } finally {
    await close();
  }
}

export function compactionLine(compaction: Awaited<ReturnType<Session['compact']>>): string {
  if (compaction === null) return 'agent: nothing to compact: the last two turns are always kept';
  return `agent: a summary replaces the turns up to ${compaction.throughTurn}`;
}

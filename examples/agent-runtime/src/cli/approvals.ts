import { EXIT, type ExitCode } from './exit-codes.js';
import { loadSession } from './find-session.js';
import { openAgent } from './open-agent.js';
import type { GlobalOptions } from './options.js';
import { settleApprovals } from './questions.js';
import { questionLine } from './readable.js';
import { printTurn, showTurn } from './render.js';
import { write, writeJson } from './say.js';
import { onStopSignals } from './signals.js';
import { withStoredSessions } from './stored-sessions.js';

export interface AnswerOptions extends GlobalOptions {
  readonly json?: boolean;
  readonly reason?: string;
}

/** The calls of a session that wait for a person. */
export async function approvals(
  prefix: string,
  options: GlobalOptions & { readonly json?: boolean },
): Promise<ExitCode> {
  return withStoredSessions(options, async (agent) => {
    const items = (await loadSession(agent, prefix)).getApprovals();
    if (options.json === true) writeJson({ items });
    else for (const question of items) write(`${question.approvalId}  ${questionLine(question)}\n`);
    return EXIT.done;
  });
}

/** Answers calls that wait, all or those that are named, and shows how the turn goes on. */
export async function answer(
  verb: 'approve' | 'deny',
  prefix: string,
  which: readonly string[],
  options: AnswerOptions,
): Promise<ExitCode> {
  const { agent, close } = await openAgent(options);
  try {
    const session = await loadSession(agent, prefix);
    const ids = which.length > 0 ? which : session.getApprovals().map(({ approvalId }) => approvalId);
    const given = { approved: verb === 'approve', reason: options.reason };
    const turn = session.answer(ids.map((approvalId) => ({ approvalId, ...given })));
    const ignoreSignals = onStopSignals(() => void session.interrupt().catch(() => {}));
    try {
      if (options.json === true) return await printTurn(turn);
      return await settleApprovals(session, await showTurn(turn));
    } finally {
      ignoreSignals();
    }
  } finally {
    await close();
  }
}

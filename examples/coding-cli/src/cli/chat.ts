import { realpathSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { dataDirOf } from '../config/folders.js';
import { CommandError, EXIT, type ExitCode } from './exit-codes.js';
import { listSessions, summaryOf } from '../rollout/list.js';
import { forkSession } from '../rollout/fork.js';
import { findSession } from './find-session.js';
import { openEngine } from './open-engine.js';
import { signIn, signOut } from './mcp.js';
import type { GlobalOptions, SessionChoice } from './options.js';

export interface ChatOptions extends GlobalOptions, SessionChoice {
  /** If there are several sessions, they are listed to choose from, and not the last one is taken. */
  readonly isListed?: boolean | undefined;
}

/** In a terminal, until the person leaves. */
export async function chat(prompt: string | undefined, options: ChatOptions): Promise<ExitCode> {
  if (!process.stdin.isTTY) return answerPiped(prompt, options);
  if (!process.stdout.isTTY) {
    throw new CommandError(EXIT.usage, 'The output is not a terminal. Use `coder exec` instead.');
  }
  const { showApp } = await import('../ui/show-app.js');
  const { resume, last } = options;
  const isListed = options.isListed === true && sessionsOf(realpathSync(options.cd ?? process.cwd())).length > 1;
  let engine = await openEngine({ ...options, quiet: true }, { resume, last: last === true && !isListed });
  return showApp({
    session: { engine },
    prompt,
    line: isListed ? '/resume ' : undefined,
    color: options.color !== false && (process.env['NO_COLOR'] ?? '') === '',
    sessions: () => sessionsOf(engine.session.cwd),
    signIn: (server, how) => signIn(server, options, how),
    signOut: (server) => signOut(server, options),
    openAnother: async ({ model, resume: other, beforeTurn }) => {
      // With another model the conversation goes on, if there is one.
      const { session_id: id } = engine.session;
      const isKept = listSessions(dataDirOf(process.env)).some((session) => session.id === id);
      const fork =
        beforeTurn !== undefined && isKept
          ? forkSession(dataDirOf(process.env), findSession(dataDirOf(process.env), id).place, beforeTurn)
          : undefined;
      const next = model === undefined ? options : { ...options, model };
      engine = await openEngine(
        { ...next, quiet: true },
        { resume: other ?? fork ?? (model !== undefined && isKept ? id : undefined) },
      );
      return { engine };
    },
  });
}

/** All that is piped in is one message, behind the prompt if there is one: a task like that of `exec`. */
async function answerPiped(prompt: string | undefined, options: ChatOptions): Promise<ExitCode> {
  const piped = await readAll(process.stdin);
  const text = [prompt, piped.trimEnd()].filter((part) => part !== undefined && part.trim() !== '').join('\n\n');
  if (text === '') {
    const fix = 'Start it in a terminal, pipe a message in, or use `coder exec PROMPT`.';
    throw new CommandError(EXIT.usage, `Not a terminal, and nothing was piped in. ${fix}`);
  }
  return (await import('./exec.js')).exec(text, options);
}

/** Reading each of very many would take long. */
const SESSIONS_LISTED = 50;

function sessionsOf(folder: string) {
  return listSessions(dataDirOf(process.env))
    .slice(0, SESSIONS_LISTED)
    .map(summaryOf)
    .filter((summary) => summary !== undefined && summary.cwd === folder)
    .flatMap((summary) => summary ?? []);
}

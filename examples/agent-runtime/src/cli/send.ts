import { text as readAll } from 'node:stream/consumers';
import { readSchemaFile } from 'responses-loop-example-shared/schema-file.js';
import { CommandError, EXIT, type ExitCode } from './exit-codes.js';
import { chosenSession } from './find-session.js';
import { openAgent } from './open-agent.js';
import type { GlobalOptions, SessionChoice } from './options.js';
import { settleApprovals } from './questions.js';
import { printTurn, showTurn } from './render.js';
import { say, writeJson } from './say.js';
import { onStopSignals } from './signals.js';

export interface SendCommandOptions extends GlobalOptions, SessionChoice {
  readonly json?: boolean;
  readonly title?: string;
  readonly schema?: string;
}

/** One message, one answer. */
export async function send(given: string, options: SendCommandOptions): Promise<ExitCode> {
  const content = given === '-' ? await readAll(process.stdin) : given;
  if (content.trim() === '') throw new CommandError(EXIT.usage, 'There is nothing to send.');
  const schema = options.schema === undefined ? undefined : readSchemaFile(options.schema, '--schema');
  const { agent, model, close } = await openAgent(options);
  try {
    const found = await chosenSession(agent, options);
    const session = found ?? (await agent.createSession({ summary: options.title }));
    const created = found === undefined;
    const turn = session.send(content, { model, schema });
    const ignoreSignals = onStopSignals(() => void session.interrupt().catch(() => {}));
    try {
      if (options.json !== true) say(`agent: session ${session.id}${created ? ' (new)' : ''}`);
      else writeJson({ type: 'session', data: { sessionId: session.id, created } });
      if (options.json === true) return await printTurn(turn);
      return await settleApprovals(session, await showTurn(turn));
    } finally {
      ignoreSignals();
    }
  } finally {
    await close();
  }
}

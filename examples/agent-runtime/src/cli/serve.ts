import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { hostGuard, tokenProblem } from 'responses-loop-example-shared/loopback-guard.js';
import { createHandler } from '../http/handler.js';
import { loggable } from '../persistence/loggable.js';
import { CommandError, EXIT, type ExitCode } from './exit-codes.js';
import { openAgent, type OpenOptions } from './open-agent.js';
import { say } from './say.js';
import { onStopSignals } from './signals.js';

export interface ServeOptions extends OpenOptions {
  readonly port: number;
  readonly host: string;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];
const SHORTEST_TOKEN = 16;

/** The same sessions over HTTP, until a signal comes. */
export async function serve(options: ServeOptions): Promise<ExitCode> {
  const given = process.env['AGENT_TOKEN'] ?? '';
  if (!LOOPBACK.includes(options.host) && given.length < SHORTEST_TOKEN) {
    throw new CommandError(
      EXIT.usage,
      `--host ${options.host} lets others in: set AGENT_TOKEN to ${SHORTEST_TOKEN} characters or more.`,
    );
  }
  const problem = tokenProblem(given);
  if (given !== '' && problem !== undefined) throw new CommandError(EXIT.usage, `AGENT_TOKEN ${problem}.`);
  const token = given === '' ? randomBytes(24).toString('base64url') : given;
  const { agent, driver, model = driver, isReady, close } = await openAgent(options);
  let port = options.port;
  const guard = hostGuard({ hostname: options.host, port: () => port });
  const onError = (error: unknown): void => say(`agent: ${loggable(error)}`);
  const handler = createHandler({ agent, driver, model, token, guard, isReady, onError });
  const server = createAdaptorServer({ fetch: (request) => handler(request) });
  try {
    port = await listen(server, options);
    say(`agent: listening on http://${urlHost(options.host)}:${port}`);
    if (given === '') say(`agent: token ${token}`);
    await new Promise<void>((resolve) => onStopSignals(resolve));
    server.close();
  } finally {
    // Turns are ended and kept first, so that streams of events end as they should.
    await close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  }
  return EXIT.done;
}

function listen(server: ServerType, { port, host }: ServeOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'something else listens there' : error.message;
      reject(new CommandError(EXIT.usage, `Port ${port} of ${host} cannot be used: ${why}.`));
    });
    // A TCP server that listens has no other kind of address.
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

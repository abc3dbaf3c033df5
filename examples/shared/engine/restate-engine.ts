import type { AddressInfo } from 'node:net';
// The SDK wants `Promise.withResolvers`, which Node 20 does not have.
import './with-resolvers.mjs';
import { createServer, type Http2Server, type Http2ServerRequest, type ServerHttp2Session } from 'node:http2';
import {
  createEndpointHandler,
  type HooksProvider,
  workflow,
  type RetryPolicy,
  type WorkflowContext,
} from '@restatedev/restate-sdk';
import { SettingsError } from '../settings-error.js';
import { endpointOf, ingressOf, type RestateSettings } from './restate-settings.js';
import { RestateIngress } from './restate-ingress.js';
import { RestateSteps } from './restate-steps.js';
import { openTurnEngine } from './turn-engine.js';
import type { TurnHost, TurnRunner } from './turn-runner.js';
import type { EngineOptions, TurnEngine } from './types.js';

/** The order and the names of the steps: a program with another order registers another service. */
const STEPS = 'turns-1';
/** A round of the model or a tool may take as long as it likes: an instance that died is noticed by its connection. */
const LONG = { hours: 24 * 365 };
/** Of its lines: a call that fails is tried again. */
const LOGGED: readonly string[] = ['error'];
const RETRIES: RetryPolicy = {
  ...{ initialInterval: 100, maxInterval: 1000, exponentiationFactor: 2 },
  // About a day without any instance.
  ...{ maxAttempts: 100_000, onMaxAttempts: 'kill' as const },
};

/** Turns as workflows of Restate, which calls one of the instances behind an address that is registered there. */
export async function openRestateEngine(options: EngineOptions, settings: RestateSettings): Promise<TurnEngine> {
  const ingress = new RestateIngress(ingressOf(settings), `${options.application}-${STEPS}`);
  const endpoint = endpointOf(settings);
  const runner = new RestateRunner({ ingress, endpoint, warn: options.onWarning ?? (() => {}) });
  try {
    return await openTurnEngine(options, runner);
  } catch (error) {
    await runner.close();
    throw error;
  }
}

interface RunnerParts {
  readonly ingress: RestateIngress;
  readonly endpoint: ReturnType<typeof endpointOf>;
  readonly warn: (sentence: string) => void;
}

/** Restate itself calls another instance if one dies. */
class RestateRunner implements TurnRunner {
  readonly #parts: RunnerParts;
  readonly #sessions = new Set<ServerHttp2Session>();
  #server: Http2Server | undefined;
  #hasWarned = false;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  async open(host: TurnHost): Promise<void> {
    const { ingress, endpoint, warn } = this.#parts;
    const handle = createEndpointHandler({
      services: [serviceOf(ingress.service, host)],
      identityKeys: [...endpoint.identityKeys],
      logger: ({ level }, ...message) => {
        if (LOGGED.includes(level)) warn(`Restate: ${message.map(String).join(' ').split('\n', 1)[0]}`);
      },
    });
    const server = createServer((request: Http2ServerRequest, response) => {
      if (host.isReady) return handle(request, response);
      // Over the next connection another instance is called.
      request.stream.session?.destroy();
    });
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
    this.#server = server;
    const port = await listen(server, endpoint);
    await ingress.check();
    warn(`Restate calls this instance on port ${port}, for the service ${ingress.service}.`);
  }

  begin(id: string): Promise<void> {
    return this.#parts.ingress.begin(id);
  }

  /** While Restate cannot be asked, the turn waits. */
  async goOn(id: string): Promise<boolean> {
    try {
      const state = await this.#parts.ingress.stateOf(id);
      if (state === 'unknown') await this.begin(id);
      this.#hasWarned = false;
      return state !== 'over';
    } catch (error) {
      if (!this.#hasWarned) this.#parts.warn(`Turns wait: ${(error as Error).message}`);
      this.#hasWarned = true;
      return true;
    }
  }

  /** Restate deletes the journal of a turn with its end. */
  async forget(): Promise<void> {}

  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    const isClosed = new Promise((resolve) => server.close(resolve));
    for (const session of this.#sessions) session.destroy();
    await isClosed;
  }
}

function serviceOf(name: string, host: TurnHost): ReturnType<typeof workflow> {
  const attempts = new WeakMap<object, RestateSteps>();
  const hook: HooksProvider = ({ request }) => ({
    interceptor: {
      handler: async (next) => {
        try {
          await next();
        } catch (error) {
          attempts.get(request)?.ended(error);
          throw error;
        }
      },
    },
  });
  return workflow({
    name,
    handlers: {
      run: async (context: WorkflowContext) => {
        const steps = new RestateSteps(context);
        attempts.set(context.request(), steps);
        // An attempt that is cut never settles: what it rejects with here makes Restate begin the next one.
        await Promise.race([host.run(context.key, steps), steps.cut]);
      },
    },
    options: {
      hooks: [hook],
      ...{ inactivityTimeout: LONG, abortTimeout: LONG, retryPolicy: RETRIES },
      // What is kept of a turn is as secret as the chat. That it was begun is known as long as the tables know the turn.
      ...{ journalRetention: 0, workflowRetention: { hours: 1 } },
    },
  });
}

function listen(
  server: Http2Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'something else listens there' : error.message;
      reject(new SettingsError(`Port ${port} of ${host} cannot be used for calls of Restate: ${why}.`));
    });
    // A TCP server that listens has no other kind of address.
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

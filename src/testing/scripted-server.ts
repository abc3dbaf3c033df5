import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { playStep } from './play-step.js';
import { receiveRequest, type ReceivedRequest } from './receive-request.js';
import { errorReply, type ScriptedAnswer, type ScriptedRequest, type ScriptedStep } from './scripted-step.js';

export interface ScriptedServerOptions {
  /** One step per request, in order. */
  readonly steps?: readonly ScriptedStep[];
  /** Answers every request after the last step. Without it such a request gets a 500 and `assertDone` throws. */
  readonly otherwise?: ScriptedStep;
}

/** A Responses server on loopback that says what its script says. */
export interface ScriptedServer extends AsyncDisposable {
  /** What a provider takes as its base URL: `http://127.0.0.1:<port>/v1`. */
  readonly baseURL: string;
  /** Every request, in the order in which its body was complete. */
  readonly requests: readonly ScriptedRequest[];
  /** What should not have happened: requests without a step, wrong paths, steps that threw. */
  readonly problems: readonly string[];
  /** Resolves with the request of that number as soon as it is there. */
  waitForRequest(index: number): Promise<ScriptedRequest>;
  /** Throws when steps are left over or when something is among the `problems`. */
  assertDone(): void;
  /** Stops listening and ends every connection; resolves when no socket is left. */
  close(): Promise<void>;
}

/**
 * Starts a real HTTP server on 127.0.0.1 that answers each `POST …/responses` with the next step of a script: event
 * objects, raw bytes, JSON, errors, web pages, broken or silent connections. It records what it was asked.
 *
 * @throws when the port cannot be opened.
 * @example
 * const server = await createScriptedServer({
 *   steps: [
 *     responseEvents({ output: [{ type: 'call', name: 'add', arguments: { a: 2, b: 3 } }] }),
 *     (request) => responseEvents({ output: [{ type: 'text', text: String(request.input.at(-1)?.['output']) }] }),
 *   ],
 * });
 * const provider = createResponsesProvider({ baseURL: server.baseURL, apiKey: 'test' });
 * // …
 * server.assertDone();
 * await server.close();
 */
export async function createScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const script = new Script(options);
  const server = createServer((request, response) => void script.answer(request, response));
  await listen(server);
  const { port } = server.address() as AddressInfo; // a TCP server that listens has no other kind of address
  const close = (): Promise<void> => {
    script.breakOffAll();
    return closeServer(server);
  };
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests: script.requests,
    problems: script.problems,
    waitForRequest: (index) => script.waitForRequest(index),
    assertDone: () => script.assertDone(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

class Script {
  readonly requests: ReceivedRequest[] = [];
  readonly problems: string[] = [];
  private readonly steps: readonly ScriptedStep[];
  private readonly otherwise: ScriptedStep | undefined;
  private readonly waiting: { index: number; resolve: (request: ScriptedRequest) => void }[] = [];
  private taken = 0;

  constructor(options: ScriptedServerOptions) {
    this.steps = options.steps ?? [];
    this.otherwise = options.otherwise;
  }

  async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await receiveRequest(incoming, response);
    if (request === undefined) return;
    const answer = await this.nextAnswer(request);
    try {
      await playStep(answer, { request, response });
    } catch (error) {
      this.problems.push(`Step ${request.index} could not be played: ${String(error)}`);
      request.breakOff();
    }
  }

  waitForRequest(index: number): Promise<ScriptedRequest> {
    const there = this.requests[index];
    if (there !== undefined) return Promise.resolve(there);
    return new Promise((resolve) => this.waiting.push({ index, resolve }));
  }

  assertDone(): void {
    const left = this.steps.length - this.taken;
    const lines = [...this.problems];
    if (left > 0) lines.push(`${left} of ${this.steps.length} steps were never asked for.`);
    if (lines.length > 0) throw new Error(`The script was not played as written:\n- ${lines.join('\n- ')}`);
  }

  breakOffAll(): void {
    for (const request of this.requests) request.breakOff();
  }

  private async nextAnswer(request: ReceivedRequest): Promise<ScriptedAnswer> {
    this.record(request);
    const path = request.url.split('?', 1)[0] ?? '';
    if (request.method !== 'POST' || !path.endsWith('/responses')) {
      return this.refuse(404, `${request.method} ${request.url} came, but this server knows only POST …/responses.`);
    }
    const step = this.steps[this.taken] ?? this.otherwise;
    request.index = this.taken;
    this.taken += 1;
    if (step === undefined) {
      return this.refuse(500, `Request ${this.taken} came, but the script has only ${this.steps.length} steps.`);
    }
    try {
      return typeof step === 'function' ? await step(request) : step;
    } catch (error) {
      return this.refuse(500, `Step ${request.index} threw: ${String(error)}`);
    }
  }

  private record(request: ReceivedRequest): void {
    const number = this.requests.push(request) - 1;
    for (const waiter of this.waiting) if (waiter.index === number) waiter.resolve(request);
  }

  private refuse(status: number, message: string): ScriptedAnswer {
    this.problems.push(message);
    return errorReply({ status, message: `responses-loop/testing: ${message}` });
  }
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // The callback comes when the last socket is closed; closing twice gives an error, which is as good.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

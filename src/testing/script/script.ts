import { checkAnswer, checkScript } from './check-script.js';
import { type Exchange, isForResponses, type ReceivedRequest } from './exchange.js';
import { playStep } from './play-step.js';
import { errorReply, type ScriptedAnswer, type ScriptedRequest, type ScriptedStep } from './scripted-step.js';

/** The answers of a script, and what it checks. */
export interface ScriptOptions {
  /** One step per request, in order. */
  readonly steps?: readonly ScriptedStep[] | undefined;
  /** Answers every request after the last step. Without it, such a request gets a 417 and `assertDone` throws. */
  readonly otherwise?: ScriptedStep | undefined;
}

/** No real server sends this status, no client retries it, and none leaves out fields for it. */
export const MISMATCH = 417;

/** The record of a script, during and after its play. */
export interface ScriptRecord {
  /** All requests, in the order in which their bodies were complete. */
  readonly requests: readonly ScriptedRequest[];
  /** Unexpected things: requests without a step, wrong paths, steps that threw. */
  readonly problems: readonly string[];
  /** Resolves with the request of that number as soon as it has arrived. */
  waitForRequest(index: number): Promise<ScriptedRequest>;
  /** Throws if steps are left over or `problems` has entries. */
  assertDone(): void;
}

/** Steps and their progress, for a server and for an injected `fetch`. */
export class Script implements ScriptRecord {
  readonly requests: ReceivedRequest[] = [];
  readonly problems: string[] = [];
  readonly #steps: readonly ScriptedStep[];
  readonly #otherwise: ScriptedStep | undefined;
  readonly #waiting: { index: number; resolve: (request: ScriptedRequest) => void }[] = [];
  #taken = 0;

  constructor(options: ScriptOptions) {
    checkScript({ steps: options.steps, otherwise: options.otherwise });
    this.#steps = options.steps ?? [];
    this.#otherwise = options.otherwise;
  }

  async answer(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const answer = await this.#nextAnswer(request);
    try {
      await playStep(answer, exchange);
    } catch (error) {
      const refusal = this.#refuse(MISMATCH, `${this.#placeOf(request)} could not be played: ${String(error)}`);
      if (exchange.hasHead) exchange.breakOff();
      else await playStep(refusal, exchange);
    }
  }

  waitForRequest(index: number): Promise<ScriptedRequest> {
    const there = this.requests[index];
    if (there !== undefined) return Promise.resolve(there);
    return new Promise((resolve) => this.#waiting.push({ index, resolve }));
  }

  assertDone(): void {
    const left = this.#steps.length - this.#taken;
    const lines = [...this.problems];
    if (left > 0)
      lines.push(`${left} of ${stepsInWords(this.#steps.length)} ${left === 1 ? 'was' : 'were'} never asked for.`);
    if (lines.length > 0) throw new Error(`The script was not played as written:\n- ${lines.join('\n- ')}`);
  }

  async #nextAnswer(request: ReceivedRequest): Promise<ScriptedAnswer> {
    this.#record(request);
    const path = request.url.split('?', 1)[0] ?? '';
    if (!isForResponses(request.method, path)) {
      return this.#refuse(404, `${request.method} ${request.url} came, but this server knows only POST …/responses.`);
    }
    const step = this.#steps[this.#taken] ?? this.#otherwise;
    request.index = this.#taken;
    this.#taken += 1;
    if (step === undefined) {
      const has = this.#steps.length === 0 ? 'no steps' : `only ${stepsInWords(this.#steps.length)}`;
      return this.#refuse(MISMATCH, `Request ${this.#taken} came, but the script has ${has}.`);
    }
    return typeof step === 'function' ? this.#askStep(step, request) : step;
  }

  async #askStep(
    step: Extract<ScriptedStep, (request: ScriptedRequest) => unknown>,
    request: ReceivedRequest,
  ): Promise<ScriptedAnswer> {
    const place = this.#placeOf(request);
    let answer: ScriptedAnswer;
    try {
      answer = await step(request);
    } catch (error) {
      return this.#refuse(MISMATCH, `${place} threw: ${String(error)}`);
    }
    const problem = checkAnswer(answer, `${place}()`);
    return problem === undefined ? answer : this.#refuse(MISMATCH, problem);
  }

  #placeOf({ index }: ReceivedRequest): string {
    return index < this.#steps.length ? `steps[${index}]` : 'otherwise';
  }

  #record(request: ReceivedRequest): void {
    const number = this.requests.push(request) - 1;
    for (const waiter of this.#waiting) if (waiter.index === number) waiter.resolve(request);
  }

  #refuse(status: number, message: string): ScriptedAnswer {
    this.problems.push(message);
    return errorReply({ status, message: `responses-loop/testing: ${message}`, code: 'script_mismatch' });
  }
}

function stepsInWords(count: number): string {
  return count === 1 ? '1 step' : `${count} steps`;
}

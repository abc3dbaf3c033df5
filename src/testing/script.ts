import { type Exchange, isForResponses, type ReceivedRequest } from './exchange.js';
import { playStep } from './play-step.js';
import { errorReply, type ScriptedAnswer, type ScriptedRequest, type ScriptedStep } from './scripted-step.js';

export interface ScriptOptions {
  /** One step per request, in order. */
  readonly steps?: readonly ScriptedStep[];
  /** Answers every request after the last step. Without it such a request gets a 500 and `assertDone` throws. */
  readonly otherwise?: ScriptedStep;
}

/** What can be asked about a script while it is played, and afterwards. */
export interface ScriptRecord {
  /** Every request, in the order in which its body was complete. */
  readonly requests: readonly ScriptedRequest[];
  /** What should not have happened: requests without a step, wrong paths, steps that threw. */
  readonly problems: readonly string[];
  /** Resolves with the request of that number as soon as it is there. */
  waitForRequest(index: number): Promise<ScriptedRequest>;
  /** Throws when steps are left over or when something is among the `problems`. */
  assertDone(): void;
}

/** Steps and how far they were played: the same for a server and for an injected `fetch`. */
export class Script implements ScriptRecord {
  readonly requests: ReceivedRequest[] = [];
  readonly problems: string[] = [];
  private readonly steps: readonly ScriptedStep[];
  private readonly otherwise: ScriptedStep | undefined;
  private readonly waiting: { index: number; resolve: (request: ScriptedRequest) => void }[] = [];
  private taken = 0;

  constructor(options: ScriptOptions) {
    this.steps = options.steps ?? [];
    this.otherwise = options.otherwise;
  }

  async answer(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const answer = await this.nextAnswer(request);
    try {
      await playStep(answer, exchange);
    } catch (error) {
      this.problems.push(`Step ${request.index} could not be played: ${String(error)}`);
      exchange.breakOff();
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

  private async nextAnswer(request: ReceivedRequest): Promise<ScriptedAnswer> {
    this.record(request);
    const path = request.url.split('?', 1)[0] ?? '';
    if (!isForResponses(request.method, path)) {
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

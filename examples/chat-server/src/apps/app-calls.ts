import type { McpAppToolCall, McpAppToolResult } from 'responses-loop/v3';
import { type AppCallContext, type AppQuestion, runInAppCall } from '../context/request-context.js';
import type { McpQuestion } from '../elicitation/mcp-questions.js';
import { HttpError } from '../errors.js';

/** What the page hears of a call of an app: perhaps questions, then what became of it. */
export type AppCallNews =
  | { readonly type: 'question'; readonly question: AppQuestion }
  | { readonly type: 'server-questions'; readonly items: readonly McpQuestion[] }
  | { readonly type: 'cancelled'; readonly message: string }
  | { readonly type: 'result'; readonly result: McpAppToolResult }
  | { readonly type: 'error'; readonly message: string };

export interface AppCall extends Required<Pick<McpAppToolCall, 'server' | 'tool'>> {
  readonly sessionId: string;
  readonly input: unknown;
  /** Fires when the page is gone: then nobody can answer. */
  readonly signal: AbortSignal;
}

export interface AppCallsOptions {
  readonly callAppTool: (call: McpAppToolCall) => Promise<McpAppToolResult>;
  readonly sentenceOf: (error: unknown) => string;
}

/** Of one chat at the same time, in all its tabs. */
const MAX_CALLS = 8;

/** Calls that apps make. Each passes the gate that calls of the model pass, and its question goes to the page of the app. */
export class AppCalls {
  readonly #options: AppCallsOptions;
  readonly #running = new Map<string, number>();

  constructor(options: AppCallsOptions) {
    this.#options = options;
  }

  /** @throws HttpError 429, if too many of this chat run or wait. */
  start(call: AppCall, onNews: (news: AppCallNews) => void): Promise<void> {
    const running = this.#running.get(call.sessionId) ?? 0;
    if (running >= MAX_CALLS) {
      throw new HttpError(429, 'too_many_calls', `Apps of this chat make ${MAX_CALLS} calls already.`);
    }
    this.#running.set(call.sessionId, running + 1);
    return this.#run(call, onNews).finally(() => {
      const left = (this.#running.get(call.sessionId) ?? 1) - 1;
      if (left === 0) this.#running.delete(call.sessionId);
      else this.#running.set(call.sessionId, left);
    });
  }

  async #run({ sessionId, signal, ...call }: AppCall, onNews: (news: AppCallNews) => void): Promise<void> {
    const { callAppTool, sentenceOf } = this.#options;
    const over = new AbortController();
    const appCall: AppCallContext = {
      sessionId,
      signal: AbortSignal.any([signal, over.signal]),
      onQuestion: (question) => onNews({ type: 'question', question }),
      onServerQuestions: (items) => onNews({ type: 'server-questions', items }),
      onCancelled: (message) => onNews({ type: 'cancelled', message }),
    };
    try {
      const result = await runInAppCall(appCall, () => callAppTool({ ...call, abortSignal: signal }));
      onNews({ type: 'result', result });
    } catch (error) {
      onNews({ type: 'error', message: sentenceOf(error) });
    } finally {
      over.abort();
    }
  }
}

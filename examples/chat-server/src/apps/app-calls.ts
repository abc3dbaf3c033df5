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
  readonly #running = new Map<string, Set<AbortController>>();

  constructor(options: AppCallsOptions) {
    this.#options = options;
  }

  /** @throws HttpError 429, if too many of this chat run or wait. */
  start(call: AppCall, onNews: (news: AppCallNews) => void): Promise<void> {
    const running = this.#running.get(call.sessionId) ?? new Set();
    if (running.size >= MAX_CALLS) {
      throw new HttpError(429, 'too_many_calls', `Apps of this chat make ${MAX_CALLS} calls already.`);
    }
    const over = new AbortController();
    this.#running.set(call.sessionId, running.add(over));
    const signal = AbortSignal.any([call.signal, over.signal]);
    return this.#run({ ...call, signal }, onNews).finally(() => {
      over.abort();
      running.delete(over);
      if (running.size === 0 && this.#running.get(call.sessionId) === running) this.#running.delete(call.sessionId);
    });
  }

  /** Ends the calls of a chat that this server does not have any more. */
  endChat(sessionId: string): void {
    const gone = new Error('Another server may have the chat now.');
    for (const over of this.#running.get(sessionId) ?? []) over.abort(gone);
  }

  async #run({ sessionId, signal, ...call }: AppCall, onNews: (news: AppCallNews) => void): Promise<void> {
    const { callAppTool, sentenceOf } = this.#options;
    const appCall: AppCallContext = {
      sessionId,
      signal,
      onQuestion: (question) => onNews({ type: 'question', question }),
      onServerQuestions: (items) => onNews({ type: 'server-questions', items }),
      onCancelled: (message) => onNews({ type: 'cancelled', message }),
    };
    try {
      const result = await runInAppCall(appCall, () => callAppTool({ ...call, abortSignal: signal }));
      onNews({ type: 'result', result });
    } catch (error) {
      onNews({ type: 'error', message: sentenceOf(error) });
    }
  }
}

import { type AskedQuestion, readQuestion } from 'responses-loop-example-shared/asked-question.js';
import { checkWithPatterns } from 'responses-loop-example-shared/check-patterns.js';
import type { McpElicitationAnswer, McpElicitationRequest } from 'responses-loop/v3';
import { newId } from '../store/ids.js';
import type { Caller } from './calls-of-chats.js';

/** A question of an MCP server that waits for a person. */
export type McpQuestion = {
  readonly id: string;
  /** Its key in the config: who asks. */
  readonly server: string;
  readonly message: string;
  /** ISO 8601: when it counts as not answered. */
  readonly until: string;
} & AskedQuestion;

/** What a person gave; values of a form are not checked yet. */
export interface GivenAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

export type QuestionOutcome =
  | { readonly is: 'answered' }
  | { readonly is: 'unknown' }
  | { readonly is: 'answered before' }
  | { readonly is: 'wrong'; readonly problems: Readonly<Record<string, string>> };

export interface McpQuestionsOptions {
  /** How long a question waits; then it is cancelled. */
  readonly timeoutMs: number;
  /** Called with all open questions of a chat whenever there are others. */
  readonly onChange: (sessionId: string, open: readonly McpQuestion[]) => void;
  readonly onWarning: (message: string) => void;
}

interface Waiting {
  readonly question: McpQuestion;
  readonly caller: Caller;
  readonly settle: (answer: McpElicitationAnswer) => void;
}

const CANCEL: McpElicitationAnswer = { action: 'cancel' };
const MAX_OPEN = 20;
const MAX_REMEMBERED = 1_000;

/** The open questions of MCP servers, by chat. They live as long as the call that asks; those of a turn, no longer than it. */
export class McpQuestions {
  readonly #options: McpQuestionsOptions;
  readonly #open = new Map<string, Map<string, Waiting>>();
  readonly #answered = new Set<string>();

  constructor(options: McpQuestionsOptions) {
    this.#options = options;
  }

  /** Waits for a person. A question that cannot be shown is cancelled, with a warning. Never rejects. */
  async ask(caller: Caller, request: McpElicitationRequest): Promise<McpElicitationAnswer> {
    const sessionId = sessionOf(caller);
    const open = this.#open.get(sessionId) ?? new Map<string, Waiting>();
    const question = this.#questionOf(request);
    const problem =
      typeof question === 'string' ? question : open.size >= MAX_OPEN ? 'too many wait already' : undefined;
    if (typeof question === 'string' || problem !== undefined) {
      this.tellCancelled([caller], request.server, problem ?? '');
      return CANCEL;
    }
    this.#open.set(sessionId, open);
    return new Promise((resolve) => {
      const settle = (answer: McpElicitationAnswer): void => {
        clearTimeout(timer);
        request.signal.removeEventListener('abort', cancel);
        open.delete(question.id);
        if (open.size === 0) this.#open.delete(sessionId);
        this.#remember(question.id);
        this.#tell(caller);
        resolve(answer);
      };
      const cancel = (): void => settle(CANCEL);
      const timer = setTimeout(cancel, this.#options.timeoutMs);
      open.set(question.id, { question, caller, settle });
      request.signal.addEventListener('abort', cancel, { once: true });
      if (request.signal.aborted) cancel();
      else this.#tell(caller);
    });
  }

  list(caller: Caller): readonly McpQuestion[] {
    return this.#of(caller).map(({ question }) => question);
  }

  /** Nobody saw a question: each that may have asked it learns why, an app on its page. */
  tellCancelled(callers: readonly Caller[], server: string, why: string): void {
    const message = `A question of the MCP server ${server} was cancelled: ${why}.`;
    this.#options.onWarning(message);
    for (const caller of callers) if (typeof caller !== 'string') caller.onCancelled(message);
  }

  /** Wrong values leave the question open. */
  async answer(sessionId: string, id: string, { action, content = {} }: GivenAnswer): Promise<QuestionOutcome> {
    const find = (): Waiting | undefined => this.#open.get(sessionId)?.get(id);
    const waiting = find();
    if (waiting === undefined) return this.#closed(id);
    const { question, settle } = waiting;
    if (action !== 'accept' || question.mode === 'url') {
      settle({ action });
      return { is: 'answered' };
    }
    const checked = await checkWithPatterns(question.fields, content);
    // Meanwhile somebody else may have answered.
    if (find() === undefined) return this.#closed(id);
    if ('problems' in checked) return { is: 'wrong', problems: checked.problems };
    settle({ action, content: checked.content });
    return { is: 'answered' };
  }

  endTurn(sessionId: string): void {
    for (const { settle } of this.#of(sessionId)) settle(CANCEL);
  }

  #of(wanted: Caller): readonly Waiting[] {
    const open = this.#open.get(sessionOf(wanted))?.values() ?? [];
    return [...open].filter(({ caller }) => caller === wanted);
  }

  #tell(caller: Caller): void {
    const open = this.list(caller);
    if (typeof caller === 'string') this.#options.onChange(caller, open);
    else caller.onServerQuestions(open);
  }

  /** A sentence instead, if it cannot be shown. */
  #questionOf(request: McpElicitationRequest): McpQuestion | string {
    const read = readQuestion(request);
    if (typeof read === 'string') return read;
    const { server, message } = request;
    const until = new Date(Date.now() + this.#options.timeoutMs).toISOString();
    return { id: newId('question'), server, message, until, ...read };
  }

  #closed(id: string): QuestionOutcome {
    return { is: this.#answered.has(id) ? 'answered before' : 'unknown' };
  }

  #remember(id: string): void {
    this.#answered.add(id);
    const [oldest] = this.#answered;
    if (this.#answered.size > MAX_REMEMBERED && oldest !== undefined) this.#answered.delete(oldest);
  }
}

function sessionOf(caller: Caller): string {
  return typeof caller === 'string' ? caller : caller.sessionId;
}

/** What a person answered. */
export interface ApprovalAnswer {
  readonly approved: boolean;
  readonly reason?: string | undefined;
  /** With a yes: "Always in this chat". */
  readonly always?: boolean | undefined;
}

/** What became of an answer: used at once, kept until the question comes, too late, or for no call that could ask. */
export type AnswerOutcome = 'resolved' | 'early' | 'already_answered' | 'unknown';

export interface PendingRegistryOptions {
  /**
   * How long a question waits while its turn runs; then it counts as rejected. At most a day. Default: as long as the turn;
   * 5 minutes, if nothing keeps it.
   */
  readonly timeoutMs?: number | undefined;
  /** Whether a question may still come: only then an answer to an unknown call is kept. */
  readonly isTurnRunning: (sessionId: string) => boolean;
}

export interface Question {
  readonly sessionId: string;
  /** What is answered to. No other question of the chat has it. */
  readonly toolCallId: string;
  readonly signal: AbortSignal;
  /** Whether it is in the store too, and can be answered later. Else its end is an answer. */
  readonly isKept: boolean;
}

export const EARLY_ANSWER_MS = 30_000;
/** MCP servers and apps wait so long for an answer that nobody can give later. */
export const UNKEPT_QUESTION_MS = 300_000;
const DAY_MS = 86_400_000;
/** So that a page which answers without end costs no memory without end. */
const MAX_KEPT = 1000;

interface Early {
  readonly answer: ApprovalAnswer;
  readonly timer: NodeJS.Timeout;
}

/** The questions of sub-agents and apps that wait. Those of sub-agents are in the store too, and outlive their turn. */
export class PendingRegistry {
  readonly #timeoutMs: number | undefined;
  readonly #isTurnRunning: (sessionId: string) => boolean;
  readonly #open = new Map<string, (answer: ApprovalAnswer) => void>();
  readonly #early = new Map<string, Early>();
  readonly #answered = new Set<string>();

  constructor({ timeoutMs, isTurnRunning }: PendingRegistryOptions) {
    this.#timeoutMs = timeoutMs === undefined ? undefined : Math.min(timeoutMs, DAY_MS);
    this.#isTurnRunning = isTurnRunning;
  }

  /** Waits for a person, for the time limit, or for the signal; the last two reject. An early answer is used at once. */
  ask(question: Question): Promise<ApprovalAnswer> {
    const key = keyOf(question.sessionId, question.toolCallId);
    const early = this.#takeEarly(key);
    if (early === undefined) return this.#wait(key, question);
    this.#remember(key);
    return Promise.resolve(early);
  }

  answer(sessionId: string, toolCallId: string, answer: ApprovalAnswer): AnswerOutcome {
    const key = keyOf(sessionId, toolCallId);
    const resolve = this.#open.get(key);
    if (resolve !== undefined) {
      resolve(answer);
      this.#remember(key);
      return 'resolved';
    }
    if (this.#answered.has(key) || this.#early.has(key)) return 'already_answered';
    if (!this.#isTurnRunning(sessionId) || this.#early.size >= MAX_KEPT) return 'unknown';
    const timer = setTimeout(() => this.#early.delete(key), EARLY_ANSWER_MS).unref();
    this.#early.set(key, { answer, timer });
    return 'early';
  }

  /** An answer that was early for this turn is none for the next one, where the model may use the same id again. */
  endTurn(sessionId: string): void {
    for (const key of this.#early.keys()) {
      if (key.startsWith(keyOf(sessionId, ''))) this.#takeEarly(key);
    }
  }

  /** Nobody can answer here any more. */
  endChat(sessionId: string): void {
    for (const [key, settle] of this.#open) {
      if (key.startsWith(keyOf(sessionId, '')))
        settle({ approved: false, reason: 'the chat is not on this server any more' });
    }
  }

  /** How many questions of a session wait. */
  count(sessionId: string): number {
    return [...this.#open.keys()].filter((key) => key.startsWith(keyOf(sessionId, ''))).length;
  }

  #wait(key: string, { signal, isKept }: Question): Promise<ApprovalAnswer> {
    const timeoutMs = this.#timeoutMs ?? (isKept ? undefined : UNKEPT_QUESTION_MS);
    return new Promise((resolve) => {
      const settle = (answer: ApprovalAnswer): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#open.delete(key);
        resolve(answer);
      };
      const giveUp = (reason: string): void => {
        this.#remember(key);
        settle({ approved: false, reason });
      };
      const onAbort = (): void =>
        isKept ? settle({ approved: false, reason: 'the turn was stopped' }) : giveUp('nothing waits for it any more');
      const onTimeout = (): void => giveUp('no one answered in time');
      const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs);
      this.#open.set(key, settle);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
  }

  #takeEarly(key: string): ApprovalAnswer | undefined {
    const early = this.#early.get(key);
    clearTimeout(early?.timer);
    this.#early.delete(key);
    return early?.answer;
  }

  #remember(key: string): void {
    this.#answered.add(key);
    if (this.#answered.size <= MAX_KEPT) return;
    const [oldest] = this.#answered;
    if (oldest !== undefined) this.#answered.delete(oldest);
  }
}

/** Ids of sessions hold no space. */
function keyOf(sessionId: string, toolCallId: string): string {
  return `${sessionId} ${toolCallId}`;
}

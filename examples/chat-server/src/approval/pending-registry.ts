/** What a person answered. */
export interface ApprovalAnswer {
  readonly approved: boolean;
  readonly reason?: string | undefined;
}

/** What became of an answer: used at once, kept until the question comes, too late, or for no call that could ask. */
export type AnswerOutcome = 'resolved' | 'early' | 'already_answered' | 'unknown';

export interface PendingRegistryOptions {
  /** How long a question waits; then it counts as rejected. At most a day. Default: 5 minutes. */
  readonly timeoutMs?: number | undefined;
  /** Whether a question may still come: only then an answer to an unknown call is kept. */
  readonly isTurnRunning: (sessionId: string) => boolean;
}

export interface Question {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly signal: AbortSignal;
}

/** A question that waits for a person. */
export interface OpenQuestion {
  /** What to answer to: another one than asked for, if a call before had the same. A late answer is for that one. */
  readonly id: string;
  readonly answer: Promise<ApprovalAnswer>;
}

export const DEFAULT_APPROVAL_TIMEOUT_MS = 300_000;
export const EARLY_ANSWER_MS = 30_000;
const DAY_MS = 86_400_000;
/** So that a page which answers without end costs no memory without end. */
const MOST_KEPT = 1000;

interface Early {
  readonly answer: ApprovalAnswer;
  readonly timer: NodeJS.Timeout;
}

/** The questions of sub-agents, which wait while their turn's stream runs. What the chat itself asks is in its store. */
export class PendingRegistry {
  readonly #timeoutMs: number;
  readonly #isTurnRunning: (sessionId: string) => boolean;
  readonly #open = new Map<string, (answer: ApprovalAnswer) => void>();
  readonly #early = new Map<string, Early>();
  readonly #answered = new Set<string>();

  constructor({ timeoutMs = DEFAULT_APPROVAL_TIMEOUT_MS, isTurnRunning }: PendingRegistryOptions) {
    this.#timeoutMs = Math.min(timeoutMs, DAY_MS);
    this.#isTurnRunning = isTurnRunning;
  }

  /** Waits for a person, for the time limit, or for the signal; the last two reject. An early answer is used at once. */
  ask({ sessionId, toolCallId, signal }: Question): OpenQuestion {
    const id = this.#freeId(sessionId, toolCallId);
    const key = keyOf(sessionId, id);
    const early = this.#takeEarly(key);
    if (early !== undefined) {
      this.#remember(key);
      return { id, answer: Promise.resolve(early) };
    }
    return { id, answer: this.#wait(key, signal) };
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
    if (!this.#isTurnRunning(sessionId) || this.#early.size >= MOST_KEPT) return 'unknown';
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

  /** How many questions of a session wait. */
  count(sessionId: string): number {
    return [...this.#open.keys()].filter((key) => key.startsWith(keyOf(sessionId, ''))).length;
  }

  #wait(key: string, signal: AbortSignal): Promise<ApprovalAnswer> {
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
      const onAbort = (): void => giveUp('the turn was stopped');
      const onTimeout = (): void => giveUp('no one answered in time');
      const timer = setTimeout(onTimeout, this.#timeoutMs);
      this.#open.set(key, settle);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
  }

  #freeId(sessionId: string, toolCallId: string): string {
    let id = toolCallId;
    const isTaken = (key: string): boolean => this.#open.has(key) || this.#answered.has(key);
    for (let n = 2; isTaken(keyOf(sessionId, id)); n += 1) id = `${toolCallId}-${n}`;
    return id;
  }

  #takeEarly(key: string): ApprovalAnswer | undefined {
    const early = this.#early.get(key);
    clearTimeout(early?.timer);
    this.#early.delete(key);
    return early?.answer;
  }

  #remember(key: string): void {
    this.#answered.add(key);
    if (this.#answered.size <= MOST_KEPT) return;
    const [oldest] = this.#answered;
    if (oldest !== undefined) this.#answered.delete(oldest);
  }
}

/** Ids of sessions hold no space. */
function keyOf(sessionId: string, toolCallId: string): string {
  return `${sessionId} ${toolCallId}`;
}

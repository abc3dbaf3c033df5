import { getToolName } from 'ai';
import { getUiWriter } from '../context/request-context.js';
import type { AgentFile, AgentQuestion, ChatPart } from '../types.js';
import { withAnswer } from '../chat/answer-approvals.js';
import { type AnswerEffects, isOwnCall, type ToolCallPart } from './answer-effects.js';
import type { ApprovalAnswer, PendingRegistry } from './pending-registry.js';
import type { QuestionSeals, SealedRequest } from './question-seal.js';

/** A sub-agent's history, as far as questions need it. */
export interface AskingJournal {
  readonly sessionId: string;
  readonly agentId: string;
  readonly file: AgentFile;
  /** Of its answer. */
  readonly parts: readonly ChatPart[];
  /** Keeps the questions; from now on it waits. */
  ask(asked: NonNullable<AgentFile['asked']>): Promise<void>;
  replace(part: ToolCallPart): Promise<void>;
}

type AskedJournal = Pick<AskingJournal, 'sessionId' | 'agentId' | 'file' | 'parts'>;

export interface AgentQuestionsOptions {
  readonly pending: PendingRegistry;
  readonly seals: QuestionSeals;
  readonly effects: AnswerEffects;
  /** What was asked in a chat before, by any of its sub-agents. */
  readonly askedIds: (sessionId: string) => Promise<readonly string[]>;
}

/** Asks for sub-agents. A question is on disk before it is shown, and an answer before anything runs. */
export class AgentQuestions {
  readonly #options: AgentQuestionsOptions;
  /** Ids in use, by chat. A late answer is for the question that had the id first. */
  readonly #taken = new Map<string, Promise<Set<string>>>();

  constructor(options: AgentQuestionsOptions) {
    this.#options = options;
  }

  /** Those that nobody has answered. */
  openOf(journal: AskedJournal): SealedRequest[] {
    return this.sealedOf(journal).filter(({ part }) => part.state === 'approval-requested');
  }

  /** Answered or not, in this very sub-agent. */
  sealedOf(journal: AskedJournal): SealedRequest[] {
    return this.#options.seals.sealedIn(journal, journal.file, journal.parts);
  }

  /** Of the calls that the last stretch of a sub-agent stopped at. */
  async seal(journal: AskingJournal): Promise<void> {
    const { seals } = this.#options;
    const { asked = [] } = journal.file;
    const known = new Set(asked.map(({ approvalId }) => approvalId));
    const taken = await this.#takenIn(journal.sessionId);
    const fresh = requestsIn(journal.parts).filter(({ approval }) => !known.has(approval?.id ?? ''));
    const sealed = fresh.map((part) => seals.seal(journal, { id: takeId(taken, part.toolCallId), part }));
    await journal.ask([...asked, ...sealed]);
  }

  /** Shows what is open, and waits until all of it is answered. Rejects when the signal fires; then all stays open. */
  async waitForAnswers(journal: AskingJournal, signal: AbortSignal): Promise<void> {
    const { sessionId, agentId } = journal;
    const writer = getUiWriter();
    await Promise.all(
      this.openOf(journal).map(async (request) => {
        const answer = this.#options.pending.ask({ sessionId, toolCallId: request.id, signal, isKept: true });
        writer.write({
          type: 'data-sub-agent-approval',
          data: { agentId, ...questionOf(request) },
          transient: true,
        });
        const given = await answer;
        signal.throwIfAborted();
        await this.keep(journal, request, given);
        const data = { agentId, toolCallId: request.id, approved: given.approved };
        writer.write({ type: 'data-sub-agent-answer', data, transient: true });
      }),
    );
  }

  async keep(journal: AskingJournal, { part }: SealedRequest, given: ApprovalAnswer): Promise<void> {
    const { effects } = this.#options;
    const { sessionId } = journal;
    const answered = withAnswer(part, { id: part.approval?.id ?? '', ...given });
    const settled = await effects.withoutOff(sessionId, answered);
    await journal.replace(settled);
    const isYes = settled.approval?.approved === true;
    if (isYes && given.always === true) await effects.grant(sessionId, settled);
  }

  endTurn(sessionId: string): void {
    this.#taken.delete(sessionId);
  }

  #takenIn(sessionId: string): Promise<Set<string>> {
    const known = this.#taken.get(sessionId) ?? this.#options.askedIds(sessionId).then((ids) => new Set(ids));
    this.#taken.set(sessionId, known);
    return known;
  }
}

/** As a person is shown it. */
export function questionOf({ id, part }: SealedRequest): AgentQuestion {
  const { input, approval = {} } = part;
  return {
    toolCallId: id,
    toolName: getToolName(part),
    input,
    isOwn: isOwnCall(part),
    descriptor: Reflect.get(approval, 'descriptor'),
  };
}

export function requestsIn(parts: readonly ChatPart[]): ToolCallPart[] {
  return parts.filter((part): part is ToolCallPart => 'state' in part && part.state === 'approval-requested');
}

function takeId(taken: Set<string>, toolCallId: string): string {
  let id = toolCallId;
  for (let n = 2; taken.has(id); n += 1) id = `${toolCallId}-${n}`;
  taken.add(id);
  return id;
}

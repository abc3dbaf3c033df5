import { readQuestion } from 'responses-loop-example-shared/asked-question.js';
import { checkWithPatterns } from 'responses-loop-example-shared/check-patterns.js';
import { defaultsOf, type Field } from 'responses-loop-example-shared/form-fields.js';
import type { OnElicitation } from 'responses-loop/v3';
import type { Hub } from '../engine/hub.js';
import { Questions } from '../engine/questions.js';
import type { ElicitationAnswer } from '../protocol/submissions.js';

export interface ElicitationsOptions {
  readonly hub: Hub;
  /** Nobody can be asked. */
  readonly isHeadless: boolean;
  readonly timeoutMs?: number | undefined;
}

interface Answer extends Pick<ElicitationAnswer, 'action' | 'content'> {
  readonly by: 'user' | 'timeout';
  readonly submission?: string | undefined;
}

/** Questions of MCP servers to the person. */
export class Elicitations {
  readonly #options: ElicitationsOptions;
  readonly #questions: Questions<Answer>;
  /** What fields the open forms have. */
  readonly #fields = new Map<string, readonly Field[]>();
  #count = 0;
  /** Answers are taken one after the other. */
  #taken: Promise<unknown> = Promise.resolve();

  constructor(options: ElicitationsOptions) {
    this.#options = options;
    this.#questions = new Questions<Answer>(options.timeoutMs, () => ({ action: 'decline', by: 'timeout' }));
  }

  /** As the provider asks. */
  readonly ask: OnElicitation = async ({ server, message, mode, requestedSchema, url, signal }) => {
    const { hub, isHeadless } = this.#options;
    const id = hub.task?.id ?? '';
    if (isHeadless) {
      const said = `${server} asked a question that nobody here can answer; it was declined: ${message}`;
      hub.emit(id, 'warning', { code: 'question_declined', message: said });
      return { action: 'decline' };
    }
    const read = readQuestion({ message, mode, requestedSchema, ...(url !== undefined && { url }) });
    if (typeof read === 'string') {
      const said = `A question of the MCP server ${server} was cancelled: ${read}.`;
      hub.emit(id, 'warning', { code: 'question_cancelled', message: said });
      return { action: 'cancel' };
    }
    const question = `q${(this.#count += 1)}`;
    if (read.mode === 'form') this.#fields.set(question, read.fields);
    hub.emit(id, 'elicitation_request', {
      question_id: question,
      server,
      message,
      mode,
      requested_schema: requestedSchema,
      ...(url !== undefined && { url }),
    });
    const answer = await this.#questions.ask(question, signal).finally(() => this.#fields.delete(question));
    if (answer === undefined) {
      hub.emit(id, 'elicitation_decision', { question_id: question, action: 'cancel', by: 'call' });
      return { action: 'cancel' };
    }
    const { action, content, by, submission } = answer;
    hub.emit(submission ?? id, 'elicitation_decision', { question_id: question, action, by });
    return action === 'accept' ? { action, ...(content !== undefined && { content }) } : { action };
  };

  /** Why it is no answer, in words; then the question stays open. */
  answer(submission: string, answer: ElicitationAnswer): Promise<string | undefined> {
    const taken = this.#taken.then(() => this.#take(submission, answer));
    this.#taken = taken;
    return taken;
  }

  async #take(
    submission: string,
    { question_id: id, action, content }: ElicitationAnswer,
  ): Promise<string | undefined> {
    const fields = this.#fields.get(id);
    const given =
      action === 'accept' && fields !== undefined
        ? await checkWithPatterns(fields, { ...defaultsOf(fields), ...content })
        : { content };
    if ('problems' in given) {
      const problems = Object.entries(given.problems).map(([key, problem]) => `${key}: ${problem}`);
      return `The question ${id} is still open. ${problems.join(' ')}`;
    }
    const answer = { action, content: given.content as Answer['content'], by: 'user', submission } as const;
    return this.#questions.answer(id, answer) ? undefined : `No question ${id} is open.`;
  }

  /** From now on nobody can be asked; what was answered before is taken. */
  close(): void {
    void this.#taken.then(() => this.#questions.close());
  }
}

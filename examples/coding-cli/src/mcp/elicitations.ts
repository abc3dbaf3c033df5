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
  #count = 0;

  constructor(options: ElicitationsOptions) {
    this.#options = options;
    this.#questions = new Questions<Answer>(options.timeoutMs, () => ({ action: 'decline', by: 'timeout' }));
  }

  /** As the provider asks. */
  readonly ask: OnElicitation = async ({ server, message, mode, requestedSchema, url, signal }) => {
    const { hub, isHeadless } = this.#options;
    const id = hub.task?.id ?? '';
    if (isHeadless) {
      const said = `${server} asked a question, and nobody can answer here; it was declined: ${message}`;
      hub.emit(id, 'warning', { code: 'question_declined', message: said });
      return { action: 'decline' };
    }
    const question = `q${(this.#count += 1)}`;
    hub.emit(id, 'elicitation_request', {
      question_id: question,
      server,
      message,
      mode,
      requested_schema: requestedSchema,
      ...(url !== undefined && { url }),
    });
    const answer = await this.#questions.ask(question, signal);
    if (answer === undefined) return { action: 'cancel' };
    const { action, content, by, submission } = answer;
    hub.emit(submission ?? id, 'elicitation_decision', { question_id: question, action, by });
    return action === 'accept' ? { action, ...(content !== undefined && { content }) } : { action };
  };

  /** Whether this question is open. */
  answer(submission: string, { question_id: id, action, content }: ElicitationAnswer): boolean {
    return this.#questions.answer(id, { action, content, by: 'user', submission });
  }

  /** From now on nobody can be asked. */
  close(): void {
    this.#questions.close();
  }
}

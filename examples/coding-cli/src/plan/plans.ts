import type { Hub } from '../engine/hub.js';
import { Questions } from '../engine/questions.js';
import type { Task } from '../engine/task.js';
import type { PlanApproval } from '../protocol/submissions.js';
import type { Modes } from './modes.js';

export interface PlansOptions {
  readonly hub: Hub;
  readonly modes: Modes;
  /** Nobody can be asked. */
  readonly isHeadless: boolean;
  readonly timeoutMs?: number | undefined;
}

interface Answer extends Pick<PlanApproval, 'decision' | 'plan' | 'approval' | 'reason'> {
  readonly by: 'user' | 'timeout';
  readonly submission?: string | undefined;
}

const NOT_ASKED = 'This mode needs no plan. Continue with the work.';
const NOBODY =
  'Nobody can approve a plan here. Give the whole plan as your final answer now, and do nothing else: only calls that read may run.';

/** Plans that a model presents: a person approves them as they are or changed, or rejects them with a reason. */
export class Plans {
  readonly #options: PlansOptions;
  readonly #questions: Questions<Answer>;
  /** What the model reads of a call that was answered. */
  readonly #outcomes = new Map<string, string>();

  constructor(options: PlansOptions) {
    this.#options = options;
    this.#questions = new Questions<Answer>(options.timeoutMs, (reason) => ({
      decision: 'rejected',
      by: 'timeout',
      reason,
    }));
  }

  /** Waits for the person. `false`: the task is over. */
  async ask(task: Task, callId: string, plan: string, signal: AbortSignal): Promise<boolean> {
    const { hub, modes, isHeadless } = this.#options;
    if (modes.mode !== 'plan') return this.#tell(callId, NOT_ASKED);
    if (isHeadless) return this.#tell(callId, NOBODY);
    hub.emit(task.id, 'plan_approval_request', { call_id: callId, plan });
    const answer = await this.#questions.ask(callId, AbortSignal.any([signal, task.signal]));
    if (answer === undefined) return false;
    const { decision, by, reason, approval, submission = task.id } = answer;
    const changed = answer.plan === plan ? undefined : answer.plan;
    hub.emit(submission, 'plan_decision', {
      call_id: callId,
      decision: decision === 'approved' ? 'approved' : 'rejected',
      by,
      ...(decision === 'approved' && changed !== undefined && { plan: changed }),
      ...(reason !== undefined && { reason }),
    });
    if (decision === 'abort') {
      task.abort('user');
      return false;
    }
    if (decision === 'rejected') return this.#tell(callId, rejection(reason));
    modes.change(submission, { mode: 'work', approval }, 'plan');
    return this.#tell(callId, approved(changed));
  }

  /** Whether a question about this call is open. */
  answer(submission: string, { call_id: callId, decision, plan, approval, reason }: PlanApproval): boolean {
    return this.#questions.answer(callId, { decision, plan, approval, reason, by: 'user', submission });
  }

  /** What the model reads, once. */
  takeOutcome(callId: string): string {
    const outcome = this.#outcomes.get(callId) ?? NOT_ASKED;
    this.#outcomes.delete(callId);
    return outcome;
  }

  /** From now on nobody can be asked. */
  close(): void {
    this.#questions.close();
  }

  #tell(callId: string, outcome: string): true {
    this.#outcomes.set(callId, outcome);
    return true;
  }
}

function approved(changed: string | undefined): string {
  return changed === undefined
    ? 'The person approved the plan. You may work now: carry it out.'
    : `The person approved the plan with changes. You may work now: carry out this plan and no other:\n\n${changed}`;
}

function rejection(reason: string | undefined): string {
  return `The person rejected the plan${reason === undefined ? ' without a reason' : `: ${reason}`}\nStill, only calls that read may run. Present a better plan, or ask what the person wants.`;
}

import type { EventData } from '../protocol/events.js';
import { type Decision, PLAN_TOOL, type Question, type RunningTool } from './shown-calls.js';

const OUTPUT_KEPT = 4000;

/** Calls that have begun or are asked about, until they end. */
export class OpenCalls {
  readonly running = new Map<string, RunningTool>();
  readonly questions: Question[] = [];
  readonly #decisions = new Map<string, Decision>();
  readonly #asked = new Map<string, Question>();

  begin(
    { call_id: callId, tool_name: name, title, source, arguments: args }: EventData<'tool_execution_begin'>,
    startedAt: number,
  ): void {
    this.running.set(callId, {
      callId,
      name,
      title,
      call: { tool_name: name, source, arguments: args },
      startedAt,
      output: '',
    });
  }

  progress({ call_id: callId, output, progress, total, message }: EventData<'tool_execution_progress'>): void {
    const tool = this.running.get(callId);
    if (tool === undefined) return;
    if (output !== undefined) tool.output = (tool.output + output).slice(-OUTPUT_KEPT);
    const count = progress === undefined ? undefined : `${progress}${total === undefined ? '' : `/${total}`}`;
    const note = [count, message].filter((part) => part !== undefined).join(' ');
    if (note !== '') tool.progress = note;
  }

  /** Forgets a call, and returns what is known of it. */
  end(callId: string) {
    const call = this.running.get(callId)?.call;
    const decision = this.#decisions.get(callId);
    this.running.delete(callId);
    this.#decisions.delete(callId);
    this.forgetQuestion(callId);
    return { call, decision };
  }

  ask(question: Question): void {
    this.questions.push(question);
    this.#asked.set(question.call_id, question);
  }

  askAboutPlan({ call_id: callId, plan }: EventData<'plan_approval_request'>, cwd: string): void {
    const reason = 'the model would work by this plan';
    const call = { tool_name: PLAN_TOOL, source: 'local', arguments: { plan } };
    this.questions.push({ call_id: callId, ...call, cwd, reason, class: 'ask' });
  }

  /** Returns the question, if the call is denied: it never runs, and nothing else tells of it. */
  decide(decision: Decision): { readonly isDenied: boolean; readonly question: Question | undefined } {
    const { call_id: callId } = decision;
    const question = this.#asked.get(callId);
    this.#asked.delete(callId);
    this.forgetQuestion(callId);
    const isDenied = decision.decision === 'denied' || decision.decision === 'abort';
    if (!isDenied) this.#decisions.set(callId, decision);
    return { isDenied, question };
  }

  forgetQuestion(callId: string): void {
    const index = this.questions.findIndex(({ call_id: id }) => id === callId);
    if (index !== -1) this.questions.splice(index, 1);
  }

  clear(): void {
    this.running.clear();
    this.questions.length = 0;
    this.#decisions.clear();
    this.#asked.clear();
  }
}

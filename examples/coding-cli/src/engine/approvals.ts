import { textOfView } from 'responses-loop-example-shared/call-view.js';
import type { Approve, ToolApprovalRequest } from 'responses-loop/v3';
import type { Rule, ToolCallToJudge, Verdict } from '../approval/types.js';
import type { EventData } from '../protocol/events.js';
import type { Mode } from '../protocol/settings.js';
import type { Plans } from '../plan/plans.js';
import type { Decision, ExecApproval } from '../protocol/submissions.js';
import { COMMAND_PARAMETERS, ownArguments } from '../tools/arguments.js';
import { eventFieldsOf } from './event-fields.js';
import { viewOfCall } from '../tools/own-views.js';
import type { Preview } from '../tools/registry.js';
import type { Hub } from './hub.js';
import { Questions } from './questions.js';
import type { Task } from './task.js';

export interface ApprovalsOptions {
  readonly hub: Hub;
  readonly plans: Plans;
  readonly judge: (call: ToolCallToJudge, mode?: Mode) => Verdict;
  /** Takes a rule for this session, or for this folder for good. */
  readonly allow: (rule: Rule, scope: 'session' | 'always') => Promise<void>;
  /** Opens paths outside of the roots to one call. */
  readonly open: (callId: string, paths: readonly string[]) => void;
  /** Has one call judged again as it starts, since nobody was asked about it. */
  readonly judgeAgain: (callId: string, judge: () => Verdict) => void;
  readonly printRule: (rule: Rule) => string;
  /** What a call of ours would change. */
  readonly preview: (tool: string, input: unknown) => Promise<Preview | undefined>;
  /** Holds an approved call to the change that the person was shown. */
  readonly holdTo: (callId: string, fingerprint: string) => void;
  /** What a person is shown as the arguments of a call: more than them, if the call stands for something else. */
  readonly shownArguments: (call: ToolApprovalRequest) => unknown;
  /** The real path of a folder that is named from the workspace. */
  readonly folderOf: (workdir: string) => string;
  /** Nobody can be asked. */
  readonly isHeadless: boolean;
  readonly timeoutMs?: number | undefined;
}

interface Answer {
  readonly decision: Decision;
  readonly reason?: string | undefined;
  readonly by: 'user' | 'timeout';
  /** The submission that answered. */
  readonly submission?: string | undefined;
}

type Permission = Exclude<Awaited<ReturnType<Approve>>, boolean | 'ask'>;
type Answered = Omit<EventData<'approval_decision'>, 'call_id' | 'tool_name'>;

/** Decides about every call before it runs: by policy, by a rule, or by asking. Each decision is an event. */
export class Approvals {
  readonly #options: ApprovalsOptions;
  readonly #questions: Questions<Answer>;

  constructor(options: ApprovalsOptions) {
    this.#options = options;
    this.#questions = new Questions<Answer>(options.timeoutMs, (reason) => ({
      decision: 'denied',
      by: 'timeout',
      reason,
    }));
  }

  readonly approve = (call: ToolApprovalRequest): Promise<Permission> =>
    isPlan(call) ? this.#askAboutPlan(call) : this.#decide(call);

  /** For sub-agents: only calls that read may run, whatever the session allows. */
  readonly approveReading = (call: ToolApprovalRequest): Promise<Permission> => this.#decide(call, 'plan');

  async #decide(call: ToolApprovalRequest, mode?: Mode): Promise<Permission> {
    const task = this.#options.hub.task;
    if (task === undefined || call.signal.aborted) return { approved: false, reason: 'the task is over' };
    const judge = (): Verdict =>
      this.#options.judge(
        {
          callId: call.callId,
          tool: call.originalName,
          source: call.source,
          arguments: call.arguments,
          isReadOnly: call.readOnly,
        },
        mode,
      );
    const verdict = judge();
    if (verdict.outcome === 'ask' && !this.#options.isHeadless) return this.#ask(task, call, verdict);
    if (verdict.outcome !== 'run') return this.#refuse(task, call, verdict);
    const { byRule } = verdict;
    const why =
      byRule === undefined
        ? ({ by: 'policy', reason: verdict.reason } as const)
        : ({ by: 'rule', reason: this.#options.printRule(byRule) } as const);
    this.#decided(task.id, call, { decision: 'approved', ...why });
    if (call.source === 'local') this.#options.judgeAgain(call.callId, judge);
    return this.#permit(call, verdict);
  }

  /** Asks about a command that the person has typed, in every mode of approval. Returns why it may not run, if so. */
  async confirm(task: Task, call: ToolApprovalRequest, verdict: Verdict): Promise<string | undefined> {
    const { isHeadless } = this.#options;
    const answer = isHeadless
      ? this.#refuse(task, call, { ...verdict, outcome: 'ask' })
      : await this.#ask(task, call, verdict);
    return answer.approved ? undefined : (answer.reason ?? 'you said no');
  }

  /** Whether a question about this call is open. */
  answer(submission: string, { call_id: callId, decision, reason }: ExecApproval): boolean {
    return this.#questions.answer(callId, { decision, reason, by: 'user', submission });
  }

  /** From now on nobody can be asked. */
  close(): void {
    this.#questions.close();
  }

  async #askAboutPlan({ callId, arguments: { plan }, signal }: ToolApprovalRequest): Promise<Permission> {
    const { task } = this.#options.hub;
    const isAnswered =
      task !== undefined && (await this.#options.plans.ask(task, callId, typeof plan === 'string' ? plan : '', signal));
    return isAnswered ? { approved: true } : { approved: false, reason: 'the task is over' };
  }

  async #ask(task: Task, call: ToolApprovalRequest, verdict: Verdict): Promise<Permission> {
    const { hub, printRule } = this.#options;
    const args = this.#options.shownArguments(call);
    const preview =
      call.source === 'local' ? await this.#options.preview(call.originalName, call.arguments) : undefined;
    const changed = preview?.difference && eventFieldsOf(preview.difference);
    const told = { tool_name: call.tool, source: call.source, arguments: args, ...changed };
    hub.emit(task.id, 'exec_approval_request', {
      call_id: call.callId,
      ...told,
      ...this.#commandOf(call),
      reason: verdict.reason,
      class: verdict.class,
      ...(verdict.rule === undefined ? {} : { rule: printRule(verdict.rule) }),
      question: textOfView(viewOfCall(told)),
    });
    // The AI SDK hands no signal to a question about a tool that it runs.
    const answer = await this.#questions.ask(call.callId, AbortSignal.any([call.signal, task.signal]));
    if (answer === undefined) return { approved: false, reason: 'the task is over' };
    const permission = await this.#answered(task, call, verdict, answer);
    if (permission.approved && preview !== undefined) this.#options.holdTo(call.callId, preview.fingerprint);
    return permission;
  }

  async #answered(task: Task, call: ToolApprovalRequest, verdict: Verdict, answer: Answer): Promise<Permission> {
    const { rule } = verdict;
    const { decision, reason, by } = answer;
    const said = { decision, by, ...(reason === undefined ? {} : { reason }) };
    this.#decided(answer.submission ?? task.id, call, said);
    if (decision === 'approved_for_session' && rule !== undefined) await this.#take(rule, 'session');
    if (decision === 'approved_always' && rule !== undefined) await this.#take(rule, 'always');
    if (decision !== 'denied' && decision !== 'abort') return this.#permit(call, verdict);
    task.denials += 1;
    if (decision === 'abort') task.abort('user');
    return { approved: false, ...(reason === undefined ? {} : { reason }) };
  }

  /** What a shell would run, and where. Another tool may call something else a command. */
  #commandOf({ source, originalName, arguments: given }: ToolApprovalRequest) {
    const name = source === 'local' ? COMMAND_PARAMETERS[originalName] : undefined;
    const { [name ?? '']: command, workdir } = name === undefined ? {} : ownArguments(originalName, given);
    const cwd = this.#options.folderOf(typeof workdir === 'string' && workdir !== '' ? workdir : '.');
    return { ...(typeof command === 'string' ? { command } : {}), cwd };
  }

  #permit({ callId }: ToolApprovalRequest, { outside = [] }: Verdict): Permission {
    if (outside.length > 0) this.#options.open(callId, outside);
    return { approved: true };
  }

  /** The answer holds also where it cannot be kept. */
  async #take(rule: Rule, scope: 'session' | 'always'): Promise<void> {
    const { allow, hub, printRule } = this.#options;
    await allow(rule, scope).catch((error: unknown) => {
      const message = `The rule "${printRule(rule)}" applies to this session only: ${(error as Error).message}`;
      hub.emit(hub.task?.id ?? '', 'warning', { code: 'rule_not_kept', message });
    });
  }

  #refuse(task: Task, call: ToolApprovalRequest, verdict: Verdict): Permission {
    const reason = verdict.outcome === 'ask' ? `${verdict.reason}; there is nobody to ask` : verdict.reason;
    task.denials += 1;
    this.#decided(task.id, call, { decision: 'denied', by: 'policy', reason });
    return { approved: false, reason };
  }

  #decided(id: string, { callId, tool }: ToolApprovalRequest, answered: Answered): void {
    this.#options.hub.emit(id, 'approval_decision', { call_id: callId, tool_name: tool, ...answered });
  }
}

/** What it is for is the question itself. */
function isPlan({ source, originalName }: ToolApprovalRequest): boolean {
  return source === 'local' && originalName === 'present_plan';
}

import type { ToolApprovalRequest } from 'responses-loop/v3';
import type { Verdict } from '../approval/types.js';
import type { ProviderTool } from '../tools/registry.js';
import type { Approvals } from './approvals.js';
import type { Emit } from './hub.js';
import type { Session } from './session.js';
import type { Task } from './task.js';
import type { ToolEvents } from './tool-events.js';

export interface OwnCommandDeps {
  readonly emit: Emit;
  readonly session: Session;
  readonly toolEvents: ToolEvents;
  readonly bash: ProviderTool | undefined;
  readonly judgeCommand: (command: string) => Verdict;
  readonly approvals: Pick<Approvals, 'confirm'>;
}

/**
 * Runs a command that the person has typed. It is judged like one of the model: what is forbidden does not run, what is a danger
 * is shown again with the reason and asked about, and of the rest the reason for which the model would have been asked is told.
 * The conversation has it with its output, as the person's.
 */
export async function runOwnCommand(task: Task, command: string, deps: OwnCommandDeps): Promise<void> {
  const { emit, session, toolEvents, bash } = deps;
  const turn = session.startTurn(`!${command}`, { own: { command } });
  emit(task.id, 'user_message', { text: `!${command}` });
  const callId = `own_${turn.number}`;
  const problem = await problemOf(task, { callId, command }, deps);
  if (problem !== undefined || bash === undefined) session.endOwn(turn, `It did not run: ${problem ?? NO_BASH}`);
  else {
    toolEvents.begin(task, { callId, tool: 'bash', source: 'local', arguments: { command } });
    const startedAt = Date.now();
    const { output, isError } = await bash.execute({ command }, { toolCallId: callId, abortSignal: task.signal }).then(
      (value) => ({ output: String(value), isError: false }),
      (error: unknown) => ({ output: error instanceof Error ? error.message : String(error), isError: true }),
    );
    toolEvents.finish(task, { callId, tool: 'bash', isError, output, durationMs: Date.now() - startedAt });
    session.endOwn(turn, output);
  }
  session.endTurn(turn, task.reason ?? 'complete', task.usage);
}

const NO_BASH = 'the tool bash is switched off';

interface OwnCall {
  readonly callId: string;
  readonly command: string;
}

/** Why it may not run. The decision is an event. */
async function problemOf(
  task: Task,
  { callId, command }: OwnCall,
  { emit, bash, judgeCommand, approvals }: OwnCommandDeps,
): Promise<string | undefined> {
  const verdict = judgeCommand(command);
  const { class: kind, reason, outcome } = verdict;
  const denied = kind === 'forbidden' ? reason : bash === undefined ? NO_BASH : undefined;
  // Where nothing is kept from the model unasked, the person is not asked either.
  if (denied === undefined && kind === 'danger' && outcome !== 'run')
    return approvals.confirm(task, { ...CALL, callId, arguments: { command }, signal: task.signal }, verdict);
  const said = { call_id: callId, tool_name: 'bash' };
  const why = kind === 'safe' ? reason : `${kind}: ${reason}`;
  if (denied === undefined)
    emit(task.id, 'approval_decision', { ...said, decision: 'approved', by: 'user', reason: why });
  else emit(task.id, 'approval_decision', { ...said, decision: 'denied', by: 'policy', reason: denied });
  return denied;
}

const CALL = {
  tool: 'bash',
  originalName: 'bash',
  source: 'local',
  readOnly: false,
  destructive: true,
  idempotent: false,
  openWorld: true,
  round: 0,
  needsApproval: true,
} as const satisfies Partial<ToolApprovalRequest>;

import type { Verdict } from '../approval/types.js';
import type { ProviderTool } from '../tools/registry.js';
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
}

/**
 * Runs a command that the person has typed. It is judged like one of the model: what is forbidden does not run, and the
 * reason for which the model would have been asked is shown. The conversation has it with its output, as the person's.
 */
export async function runOwnCommand(
  task: Task,
  command: string,
  { emit, session, toolEvents, bash, judgeCommand }: OwnCommandDeps,
): Promise<void> {
  const turn = session.startTurn(`!${command}`, { own: { command } });
  emit(task.id, 'user_message', { text: `!${command}` });
  const verdict = judgeCommand(command);
  const isForbidden = verdict.class === 'forbidden';
  const callId = `own_${turn.number}`;
  const said = { call_id: callId, tool_name: 'bash', reason: isForbidden ? verdict.reason : reasonOf(verdict) };
  if (isForbidden || bash === undefined) {
    const reason = isForbidden ? verdict.reason : 'the tool bash is switched off';
    emit(task.id, 'approval_decision', { ...said, decision: 'denied', by: 'policy', reason });
    session.endOwn(turn, `It did not run: ${reason}`);
  } else {
    emit(task.id, 'approval_decision', { ...said, decision: 'approved', by: 'user' });
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

function reasonOf({ class: kind, reason }: Verdict): string {
  return kind === 'safe' ? reason : `${kind}: ${reason}`;
}

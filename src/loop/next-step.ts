import type { FinishReason, RoundResult } from '../core/part.js';
import type { RoundRun } from './round-run.js';

/** The step after a round. */
export interface NextStep {
  readonly runTools: boolean;
  /** Tells the model in outputs why its calls did not run. */
  readonly refusal: string;
  readonly again: boolean;
  /** The reason of the call's end, if it ends here. */
  readonly finishReason: FinishReason;
  readonly error?: Error;
}

/**
 * Decides alone whether another round follows: if the loop answered calls and none waits for the client. The server's
 * status and earlier texts do not count.
 */
export function nextStep({ result, calls }: RoundRun, { closing }: { closing: boolean }): NextStep {
  if (calls?.exceeded !== undefined) return stop('error', `Not run: ${calls.exceeded.message}`, calls.exceeded);
  if (result === undefined) return stop('error', 'the round never ended', new Error('A round ended without a result.'));
  if (result.outcome !== 'completed' && !goesOnAllTheSame(calls, result)) return brokenRound(result);
  // If the server answered all calls, the round ends like one without calls.
  const withoutCalls = result.finishReason === 'tool-calls' ? 'stop' : result.finishReason;
  if (calls === undefined) return stop(withoutCalls, '');
  const clientPending = calls.client.waiting.size > 0;
  if (!calls.tools.calls.isOutstanding) return stop(clientPending ? 'tool-calls' : withoutCalls, '');
  if (closing)
    return stop(clientPending ? 'tool-calls' : 'other', 'Not run: the model was asked to answer without tools.');
  return { runTools: true, refusal: '', again: !clientPending, finishReason: 'tool-calls' };
}

/** Whether another round follows. A call that waits for the user waits for the client. */
export function goesAgain(step: NextStep, run: RoundRun): boolean {
  return step.again && run.calls?.awaited.length === 0;
}

/** Whether complete calls of a broken stream count, because a tool has acted and must not act twice. */
function goesOnAllTheSame(calls: RoundRun['calls'], { outcome }: RoundResult): boolean {
  return calls?.tools.started === true && (outcome === 'truncated' || outcome === 'reset');
}

function brokenRound(result: RoundResult): NextStep {
  if (result.outcome === 'incomplete') {
    return stop(result.finishReason, `Not run: the response was cut off (${result.rawFinishReason ?? 'incomplete'}).`);
  }
  return stop('error', 'Not run: the response failed.', result.error ?? new Error('The response failed.'));
}

function stop(finishReason: FinishReason, refusal: string, error?: Error): NextStep {
  return { runTools: false, refusal, again: false, finishReason, ...(error === undefined ? {} : { error }) };
}

import type { FinishReason, RoundResult } from '../core/part.js';
import type { RoundRun } from './round-run.js';

/** What follows a round. */
export interface NextStep {
  readonly runTools: boolean;
  /** Why calls are not run, told to the model in their outputs. */
  readonly refusal: string;
  readonly again: boolean;
  /** How the call ends, should it end here. */
  readonly finishReason: FinishReason;
  readonly error?: Error;
}

/**
 * The one place that decides whether to go again: calls were answered by us and none is pending at the client. No status
 * text and no text written before has a say in it.
 */
export function nextStep(run: RoundRun, { closing }: { closing: boolean }): NextStep {
  const { result } = run;
  const { exceeded } = run.limit;
  if (exceeded !== undefined) return stop('error', `Not run: ${exceeded.message}`, exceeded);
  if (result === undefined) return stop('error', 'the round never ended', new Error('A round ended without a result.'));
  if (result.outcome !== 'completed' && !goesOnAllTheSame(run, result)) return brokenRound(result);
  const clientPending = run.clientCalls.length > 0;
  if (run.tools.outstanding === 0) {
    const calling = clientPending ? 'tool-calls' : withoutCalls(result.finishReason);
    return stop(calling, '');
  }
  if (closing) return stop(clientPending ? 'tool-calls' : 'other', 'Not run: the limit of tool rounds was reached.');
  return { runTools: true, refusal: '', again: !clientPending, finishReason: 'tool-calls' };
}

/** What waits for the user is pending at the client like any other call. */
export function goesAgain(step: NextStep, run: RoundRun): boolean {
  return step.again && run.awaited.length === 0;
}

/** A tool has acted, then the stream broke: the calls that were complete count, and nothing is asked twice. */
function goesOnAllTheSame(run: RoundRun, result: RoundResult): boolean {
  return run.tools.started && (result.outcome === 'truncated' || result.outcome === 'reset');
}

function brokenRound(result: RoundResult): NextStep {
  if (result.outcome === 'incomplete') {
    return stop(result.finishReason, `Not run: the response was cut off (${result.rawFinishReason ?? 'incomplete'}).`);
  }
  return stop('error', 'Not run: the response failed.', result.error ?? new Error('The response failed.'));
}

/** A round whose calls were all settled by the server ends like one without calls. */
function withoutCalls(reason: FinishReason): FinishReason {
  return reason === 'tool-calls' ? 'stop' : reason;
}

function stop(finishReason: FinishReason, refusal: string, error?: Error): NextStep {
  return { runTools: false, refusal, again: false, finishReason, ...(error === undefined ? {} : { error }) };
}

import type { CallFinish, RoundSummary } from '../core/part.js';
import type { AnsweredCall } from './own-call.js';

/** It broke off between rounds, or in one: what the server said last is not why. */
export function withoutRawReason({ rawFinishReason: _raw, ...finish }: CallFinish): CallFinish {
  return finish;
}

export function summariesOf(outputs: readonly AnsweredCall[]): RoundSummary['calls'] {
  return outputs.map(({ call, output, answeredByServer }) => ({
    callId: call.callId,
    name: call.name,
    origin: answeredByServer ? 'hosted' : 'loop',
    isError: output.isError,
  }));
}

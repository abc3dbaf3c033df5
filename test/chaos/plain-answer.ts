import type { AnswerExchange } from './scenario.js';

/** An answer on whose way nothing happens. */
export function plainAnswer(responseId: string, items: AnswerExchange['items']): AnswerExchange {
  return {
    kind: 'answer',
    responseId,
    form: 'sse',
    items,
    interleave: false,
    status: 'completed',
    error: { code: 'server_error', retryable: true, echoesKey: false },
    mangles: [],
    noise: [],
    tornEvent: false,
    ending: 'end',
    cut: { how: 'whole', seed: 1 },
    eventLines: false,
    crlf: false,
    straggler: false,
  };
}

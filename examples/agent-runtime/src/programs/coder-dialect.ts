import { event } from '../driver/events.js';
import type { DriverStreamEvent } from '../types/index.js';
import type { Dialect, DialectOptions, Heard, Line } from './dialect.js';

type Data = Readonly<Record<string, unknown>>;
type Read = (data: Data, id: string) => Heard;

/** `coder proto`: submissions go in, events come out. */
export function coderDialect({ approve = () => false }: DialectOptions = {}): Dialect {
  let model = 'coder';
  let submissions = 0;
  const submission = (op: Line): Line => ({ id: `agent-${(submissions += 1)}`, op });
  const say = (...events: readonly DriverStreamEvent[]): Heard => ({ events });
  const readers: Readonly<Record<string, Read>> = {
    session_configured: (data) => {
      model = text(data['model']);
      return { sessionId: text(data['session_id']) };
    },
    task_started: (_data, id) => say(event('message_start', { messageId: id, model })),
    agent_message_delta: (data) => say(event('text_delta', { text: text(data['text']) })),
    agent_reasoning_delta: (data) => say(event('thinking_delta', { text: text(data['text']) })),
    tool_execution_begin: (data) => {
      const call = { toolCallId: text(data['call_id']), toolName: text(data['tool_name']) };
      return say(event('tool_use_start', call), event('tool_use_stop', { ...call, input: data['arguments'] }));
    },
    tool_execution_end: (data) => {
      const toolCallId = text(data['call_id']);
      if (data['success'] === true) return say(event('tool_result', { toolCallId, result: data['result'] ?? '' }));
      return say(event('tool_result', { toolCallId, result: data['error'] ?? data['result'] ?? '', isError: true }));
    },
    exec_approval_request: (data) => {
      const [toolName, question] = [text(data['tool_name']), data['question']];
      const call = {
        toolName,
        arguments: data['arguments'],
        question: question === undefined ? question : text(question),
      };
      const isApproved = approve(call);
      const decision = isApproved ? 'approved' : 'denied';
      const answers = [submission({ type: 'exec_approval', call_id: data['call_id'], decision })];
      if (isApproved) return { answers };
      return {
        answers,
        events: [event('warning', { message: `coder asked to run ${toolName}, and the answer was no.` })],
      };
    },
    token_count: (data) => say(event('message_delta', { usage: usageOf(data) })),
    warning: (data) => say(event('warning', { message: text(data['message']) })),
    error: (data) => {
      const { message, code, retryable } = data;
      return say(event('error', { message: text(message), errorCode: text(code), isRetryable: retryable === true }));
    },
    turn_aborted: ({ reason }) =>
      reason === 'user' || reason === 'shutdown'
        ? say(event('interrupted', { reason: 'user' }))
        : say(event('message_stop', { stopReason: reason === 'error' ? 'error' : 'other' })),
    task_complete: () => say(event('message_stop', { stopReason: 'end_turn' })),
  };
  return {
    resume: (sessionId) => ['--resume', sessionId],
    message: (_message, words) => submission({ type: 'user_input', text: words }),
    interrupt: () => submission({ type: 'interrupt' }),
    hear: ({ id, msg }) => {
      const { type, data } = (msg ?? {}) as Data;
      const read = typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type] : undefined;
      return read?.((data ?? {}) as Data, text(id)) ?? {};
    },
  };
}

function usageOf(data: Data) {
  return {
    inputTokens: count(data['input']),
    outputTokens: count(data['output']),
    cachedInputTokens: count(data['cached_input']),
    reasoningTokens: count(data['reasoning']),
  };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

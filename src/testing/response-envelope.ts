import type { JsonObject } from '../core/json.js';
import type { ResponseDescription } from './response-description.js';

interface State {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly output: JsonObject[];
  readonly usage: JsonObject | null;
}

/** The response object with everything OpenAI puts into it. */
export function envelope(description: ResponseDescription & { id: string }, state: State): JsonObject {
  return {
    id: description.id,
    object: 'response',
    created_at: description.createdAt ?? 1_700_000_000,
    status: state.status,
    background: false,
    error: state.status === 'failed' ? (description.error ?? defaultError()) : null,
    incomplete_details:
      state.status === 'incomplete' ? { reason: description.incompleteReason ?? 'max_output_tokens' } : null,
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    model: description.model ?? 'gpt-test',
    output: state.output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: state.usage,
    metadata: {},
    ...description.fields,
  };
}

function defaultError(): JsonObject {
  return { code: 'server_error', message: 'The scripted server had an error.' };
}

import type { ErrorDetail } from './error-body.js';
import type { OutputItem } from './output-item.js';

/**
 * The response object, whole or as it stands in `response.created` and its like, where llama.cpp sends no more than
 * `id`, `object` and `status`. Only the members we read are listed.
 */
export interface ResponseBody {
  readonly id?: string | null;
  readonly object?: string | null;
  /** Seconds since 1970. */
  readonly created_at?: number | null;
  /** What answered, which may be more exact than what was asked for. */
  readonly model?: string | null;
  /**
   * `completed`, `incomplete`, `failed`, `cancelled`, `queued`, `in_progress`. Not to be trusted alone: llama.cpp says
   * `completed` at the token limit too, Mastra puts `incomplete` into a `response.completed`.
   */
  readonly status?: string | null;
  /** May be `[]` or absent although items were streamed. */
  readonly output?: readonly OutputItem[] | null;
  readonly usage?: WireUsage | null;
  readonly error?: ErrorDetail | string | null;
  readonly incomplete_details?: IncompleteDetails | null;
  readonly service_tier?: string | null;
  readonly previous_response_id?: string | null;
}

export interface IncompleteDetails {
  /** `max_output_tokens`, `content_filter`, and others to come. */
  readonly reason?: string | null;
}

/** Each number may be missing by itself. xAI's cached tokens are sometimes more than its input tokens. */
export interface WireUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly total_tokens?: number | null;
  readonly input_tokens_details?: {
    readonly cached_tokens?: number | null;
    readonly cache_write_tokens?: number | null;
  } | null;
  readonly output_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
}

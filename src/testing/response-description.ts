import type { JsonObject } from '../core/json.js';
import type { OutputDescription } from './output-description.js';

/** A scripted response in a few words. */
export interface ResponseDescription {
  /** Default `resp_1`. Item and call ids are made from it, so give each response of a conversation its own. */
  readonly id?: string | undefined;
  /** Default `gpt-test`. */
  readonly model?: string | undefined;
  /** Seconds since 1970. Default 1700000000. */
  readonly createdAt?: number | undefined;
  readonly output?: readonly OutputDescription[] | undefined;
  /** Argument deltas of calls that stand next to each other take turns. Default `false`. */
  readonly interleaveCalls?: boolean | undefined;
  /** How it ends; `none` leaves the terminal event out, as in a stream that was cut. Default `completed`. */
  readonly status?: 'completed' | 'incomplete' | 'failed' | 'none' | undefined;
  /** Why it is incomplete. Default `max_output_tokens`. */
  readonly incompleteReason?: string | undefined;
  /** Why it failed. Default a `server_error`. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** The wire object; `null` sends none. Default 10 tokens in, 5 out. */
  readonly usage?: JsonObject | null | undefined;
  /** More fields of the response object, such as `service_tier`. */
  readonly fields?: JsonObject | undefined;
}

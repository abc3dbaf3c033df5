import type { JsonObject } from '../../core/json.js';

/** The content of one output item: a string is split into deltas; a list contains the deltas, one event each. */
export type Deltas = string | readonly string[];

/** A scripted response's output in short form; {@link responseEvents} makes its events. */
export type OutputDescription = TextOutput | RefusalOutput | ReasoningOutput | CallOutput | OtherOutput;

interface ItemOptions {
  /** The item's id. @default made from the response id and the position */
  readonly id?: string | undefined;
}

/** A message. */
export interface TextOutput extends ItemOptions {
  readonly type: 'text';
  /** The text, in one piece or in deltas. */
  readonly text: Deltas;
  /** `commentary` or `final_answer`. */
  readonly phase?: string | undefined;
  /** Annotations of the text, such as `url_citation`. */
  readonly annotations?: readonly JsonObject[] | undefined;
}

/** A message that refuses. */
export interface RefusalOutput extends ItemOptions {
  readonly type: 'refusal';
  /** The words of the refusal, in one piece or in deltas. */
  readonly text: Deltas;
}

/** A reasoning item: summary parts, raw text as local servers send it, sealed content, or any of them together. */
export interface ReasoningOutput extends ItemOptions {
  readonly type: 'reasoning';
  /** One entry per summary part. */
  readonly summary?: readonly Deltas[] | undefined;
  /** The thoughts that are shown, in one piece or in deltas. */
  readonly text?: Deltas | undefined;
  /** `encrypted_content` of the finished item. */
  readonly encrypted?: string | undefined;
}

/** A function call. */
export interface CallOutput extends ItemOptions {
  readonly type: 'call';
  /** The function that the model calls. */
  readonly name: string;
  /** An object is written as JSON; a string or deltas are sent unchanged, valid or not. */
  readonly arguments: JsonObject | Deltas;
  /** @default made from the response id and the position */
  readonly callId?: string | undefined;
}

/** Any other item, sent whole in `output_item.added` and `output_item.done`. */
export interface OtherOutput {
  readonly type: 'item';
  /** The wire object as it is sent. */
  readonly item: JsonObject & { readonly type: string };
}

/** A scripted response in a few words. */
export interface ResponseDescription {
  /** Item and call ids derive from it, so give each response of a conversation its own. @default `resp_1` */
  readonly id?: string | undefined;
  /** @default `gpt-test` */
  readonly model?: string | undefined;
  /** Seconds since 1970. @default 1700000000 */
  readonly createdAt?: number | undefined;
  /** The items of the answer, in order. @default none */
  readonly output?: readonly OutputDescription[] | undefined;
  /** Sends the argument deltas of neighbouring calls in turns. @default `false` */
  readonly interleaveCalls?: boolean | undefined;
  /** How the response ends; `none` omits the terminal event, as in a stream that was cut. @default `completed` */
  readonly status?: 'completed' | 'incomplete' | 'failed' | 'none' | undefined;
  /** Why it is incomplete. @default `max_output_tokens` */
  readonly incompleteReason?: string | undefined;
  /** Why it failed. @default a `server_error` */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** The wire object; `null` sends none. @default 10 tokens in, 5 out */
  readonly usage?: JsonObject | null | undefined;
  /** More fields of the response object, such as `service_tier`. */
  readonly fields?: JsonObject | undefined;
}

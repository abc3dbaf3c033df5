import type { JsonObject } from '../core/json.js';

/** Content of one output item: a text is split into deltas for you, a list is the deltas, one event each. */
export type Deltas = string | readonly string[];

/** What a scripted response puts out, in a few words; {@link responseEvents} makes the events of it. */
export type OutputDescription = TextOutput | RefusalOutput | ReasoningOutput | CallOutput | OtherOutput;

interface ItemOptions {
  /** The item's id. Default: made from the response id and the position. */
  readonly id?: string | undefined;
}

/** A message. */
export interface TextOutput extends ItemOptions {
  readonly type: 'text';
  readonly text: Deltas;
  /** `commentary` or `final_answer`. */
  readonly phase?: string | undefined;
  /** Annotations of the text, such as `url_citation`. */
  readonly annotations?: readonly JsonObject[] | undefined;
}

/** A message that refuses. */
export interface RefusalOutput extends ItemOptions {
  readonly type: 'refusal';
  readonly text: Deltas;
}

/** A reasoning item: summary parts, raw text as local servers send it, sealed content, or any of them together. */
export interface ReasoningOutput extends ItemOptions {
  readonly type: 'reasoning';
  /** One entry per summary part. */
  readonly summary?: readonly Deltas[] | undefined;
  readonly text?: Deltas | undefined;
  /** `encrypted_content` of the finished item. */
  readonly encrypted?: string | undefined;
}

/** A function call. */
export interface CallOutput extends ItemOptions {
  readonly type: 'call';
  readonly name: string;
  /** An object is written as JSON; a text or deltas go out as they are, valid or not. */
  readonly arguments: JsonObject | Deltas;
  /** Default: made from the response id and the position. */
  readonly callId?: string | undefined;
}

/** Any other item, sent whole in `output_item.added` and `output_item.done`. */
export interface OtherOutput {
  readonly type: 'item';
  readonly item: JsonObject & { readonly type: string };
}

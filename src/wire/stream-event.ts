import type { ErrorDetail } from './error-body.js';
import type { PassedThroughEventName, UnknownName } from './known-names.js';
import type { Annotation, Logprob, OutputContent, OutputItem, OutputSummaryText } from './output-item.js';
import type { ResponseBody } from './response.js';

/**
 * What stands behind `data:`, read leniently. `switch (event.type)` narrows; the default branch holds what is passed
 * through and what we do not know.
 */
export type StreamEvent = HandledEvent | PassedThroughEvent | UnknownStreamEvent;

export type HandledEvent =
  | ResponseEvent
  | ErrorEvent
  | OutputItemEvent
  | ContentPartEvent
  | OutputTextDeltaEvent
  | OutputTextDoneEvent
  | AnnotationAddedEvent
  | RefusalDeltaEvent
  | RefusalDoneEvent
  | SummaryPartEvent
  | SummaryTextDeltaEvent
  | SummaryTextDoneEvent
  | ReasoningTextDeltaEvent
  | ReasoningTextDoneEvent
  | ArgumentsDeltaEvent
  | ArgumentsDoneEvent
  | CallInputDeltaEvent
  | PartialImageEvent;

interface StreamEventBase {
  /** Missing from llama.cpp and aimock: order is the order of arrival. */
  readonly sequence_number?: number | null;
}

/** Where a delta belongs. Each member may be missing, and `item_id` may hold the call id (llama.cpp). */
interface ItemEventBase extends StreamEventBase {
  readonly output_index?: number | null;
  readonly item_id?: string | null;
  readonly call_id?: string | null;
}

interface ContentEventBase extends ItemEventBase {
  readonly content_index?: number | null;
}

interface SummaryEventBase extends ItemEventBase {
  readonly summary_index?: number | null;
}

/** Some relays leave out the wrapper and put the response's members on the event itself. */
export interface ResponseEvent extends StreamEventBase, ResponseBody {
  readonly type:
    | 'response.created'
    | 'response.queued'
    | 'response.in_progress'
    | 'response.completed'
    | 'response.incomplete'
    | 'response.failed'
    | 'response.done'
    | 'response.cancelled';
  readonly response?: ResponseBody | null;
}

/** Flat by OpenAI's specification, nested in what it sends. */
export interface ErrorEvent extends StreamEventBase, Omit<ErrorDetail, 'type'> {
  readonly type: 'error';
  readonly error?: ErrorDetail | string | null;
}

/** OpenClaw sends a call whole in `added`; llama.cpp sends all `done` events at the end. */
export interface OutputItemEvent extends StreamEventBase {
  readonly type: 'response.output_item.added' | 'response.output_item.done';
  readonly output_index?: number | null;
  readonly item?: OutputItem | null;
}

export interface ContentPartEvent extends ContentEventBase {
  readonly type: 'response.content_part.added' | 'response.content_part.done';
  readonly part?: OutputContent | null;
}

export interface OutputTextDeltaEvent extends ContentEventBase {
  readonly type: 'response.output_text.delta';
  readonly delta?: string | null;
  readonly logprobs?: readonly Logprob[] | null;
}

export interface OutputTextDoneEvent extends ContentEventBase {
  readonly type: 'response.output_text.done';
  readonly text?: string | null;
  readonly logprobs?: readonly Logprob[] | null;
}

export interface AnnotationAddedEvent extends ContentEventBase {
  readonly type: 'response.output_text.annotation.added';
  readonly annotation?: Annotation | null;
  readonly annotation_index?: number | null;
}

export interface RefusalDeltaEvent extends ContentEventBase {
  readonly type: 'response.refusal.delta';
  readonly delta?: string | null;
}

export interface RefusalDoneEvent extends ContentEventBase {
  readonly type: 'response.refusal.done';
  readonly refusal?: string | null;
}

/** Ollama sends summary text without announcing the part. */
export interface SummaryPartEvent extends SummaryEventBase {
  readonly type: 'response.reasoning_summary_part.added' | 'response.reasoning_summary_part.done';
  readonly part?: OutputSummaryText | null;
}

export interface SummaryTextDeltaEvent extends SummaryEventBase {
  readonly type: 'response.reasoning_summary_text.delta';
  readonly delta?: string | null;
}

export interface SummaryTextDoneEvent extends SummaryEventBase {
  readonly type: 'response.reasoning_summary_text.done';
  readonly text?: string | null;
}

export interface ReasoningTextDeltaEvent extends ContentEventBase {
  readonly type: 'response.reasoning_text.delta' | 'response.reasoning.delta';
  readonly delta?: string | null;
}

/** From LM Studio sometimes the only event of the reasoning. */
export interface ReasoningTextDoneEvent extends ContentEventBase {
  readonly type: 'response.reasoning_text.done' | 'response.reasoning.done';
  readonly text?: string | null;
}

/** Ciphertext from GitHub Copilot: then only `done` is right. */
export interface ArgumentsDeltaEvent extends ItemEventBase {
  readonly type: 'response.function_call_arguments.delta';
  readonly delta?: string | null;
}

/** Never sent by llama.cpp; the only one with arguments from some models. */
export interface ArgumentsDoneEvent extends ItemEventBase {
  readonly type: 'response.function_call_arguments.done';
  readonly name?: string | null;
  readonly arguments?: string | Readonly<Record<string, unknown>> | null;
}

/** Input of a call that is no function call. */
export interface CallInputDeltaEvent extends ItemEventBase {
  readonly type: 'response.custom_tool_call_input.delta' | 'response.apply_patch_call_operation_diff.delta';
  readonly delta?: string | null;
}

/** A picture on its way. */
export interface PartialImageEvent extends ItemEventBase {
  readonly type: 'response.image_generation_call.partial_image';
  readonly partial_image_b64?: string | null;
  readonly partial_image_index?: number | null;
}

/** Known and of no concern to us. */
export interface PassedThroughEvent extends StreamEventBase {
  readonly type: PassedThroughEventName;
}

/** Anything newer than this package, or a vendor's own. */
export interface UnknownStreamEvent extends StreamEventBase {
  readonly type: UnknownName;
}

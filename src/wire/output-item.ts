import type { PassedThroughOutputItemName, UnknownName } from './known-names.js';

/**
 * What comes back in `output`, read leniently: no server sends every member its specification requires, and several
 * send `null` for "none". Only the members we read are listed.
 */
export type OutputItem =
  | OutputMessage
  | OutputReasoning
  | OutputFunctionCall
  | PassedThroughOutputItem
  | UnknownOutputItem;

interface OutputItemBase {
  /** GitHub Copilot sends another id with every event of the same item; llama.cpp's calls have none. */
  readonly id?: string | null;
  readonly status?: string | null;
}

export interface OutputMessage extends OutputItemBase {
  readonly type: 'message';
  readonly role?: string | null;
  readonly content?: readonly OutputContent[] | null;
  /** `commentary` or `final_answer`. */
  readonly phase?: string | null;
}

export type OutputContent = OutputText | OutputRefusal | OutputReasoningText | UnknownOutputContent;

export interface OutputText {
  readonly type: 'output_text';
  readonly text?: string | null;
  readonly annotations?: readonly Annotation[] | null;
  readonly logprobs?: readonly Logprob[] | null;
}

export interface OutputRefusal {
  readonly type: 'refusal';
  readonly refusal?: string | null;
}

/** Also the content of reasoning items. */
export interface OutputReasoningText {
  readonly type: 'reasoning_text';
  readonly text?: string | null;
}

export interface UnknownOutputContent {
  readonly type: UnknownName;
}

export interface OutputReasoning extends OutputItemBase {
  readonly type: 'reasoning';
  readonly summary?: readonly OutputSummaryText[] | null;
  readonly content?: readonly OutputContent[] | null;
  /** `""` from llama.cpp; plain thinking, not sealed, from Ollama. */
  readonly encrypted_content?: string | null;
}

export interface OutputSummaryText {
  readonly type?: 'summary_text' | null;
  readonly text?: string | null;
}

export interface OutputFunctionCall extends OutputItemBase {
  readonly type: 'function_call';
  readonly call_id?: string | null;
  readonly name?: string | null;
  readonly namespace?: string | null;
  /** A JSON text, by the specification; `""`, `null` and an object are seen where the tool has no parameters. */
  readonly arguments?: string | Readonly<Record<string, unknown>> | null;
}

/** An item kept as it came. `call_id` of a `function_call_output` says which call is answered already. */
export interface PassedThroughOutputItem extends OutputItemBase {
  readonly type: PassedThroughOutputItemName;
  readonly call_id?: string | null;
}

/** Anything newer than this package, or a vendor's own (`openrouter:…`): kept as it came. */
export interface UnknownOutputItem extends OutputItemBase {
  readonly type: UnknownName;
}

export type Annotation = UrlCitation | FileAnnotation | UnknownAnnotation;

export interface UrlCitation {
  readonly type: 'url_citation';
  readonly url?: string | null;
  readonly title?: string | null;
  readonly start_index?: number | null;
  readonly end_index?: number | null;
}

export interface FileAnnotation {
  readonly type: 'file_citation' | 'container_file_citation' | 'file_path';
  readonly file_id?: string | null;
  readonly filename?: string | null;
  readonly container_id?: string | null;
  readonly index?: number | null;
  readonly start_index?: number | null;
  readonly end_index?: number | null;
}

export interface UnknownAnnotation {
  readonly type: UnknownName;
}

export interface Logprob {
  readonly token?: string | null;
  readonly logprob?: number | null;
  readonly bytes?: readonly number[] | null;
  readonly top_logprobs?: readonly Logprob[] | null;
}

import type { ModelMessage } from 'ai';
import { summaryText } from 'responses-loop-example-shared/summary-words.js';

import { isPrompt, isSummary } from '../core/as-read.js';
import { contentOf } from '../core/content.js';
import { INTERRUPTED_RESULT } from '../core/open-calls.js';
import { plainJson } from '../core/plain-json.js';
import type { ProviderMetadata, StoredMessage, UserMessage } from '../types/messages.js';
import { type IsLeftOut, toUserContent } from './user-content.js';

type AssistantPart = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number];
type CallPart = Extract<AssistantPart, { type: 'tool-call' }>;
type ResultPart = Extract<AssistantPart, { type: 'tool-result' }>;
type ToolPart = Extract<ModelMessage, { role: 'tool' }>['content'][number];
type Output = ResultPart['output'];

/** The conversation as the model is given it: every call has exactly one result, and every result a call. */
export function toMessages(messages: readonly StoredMessage[], isLeftOut?: IsLeftOut): ModelMessage[] {
  const builder = new Builder(isLeftOut);
  for (const message of messages) builder.take(message);
  return builder.end({ isAnswered: messages.at(-1)?.metadata?.kind === 'approval_answer' });
}

export function toUserMessage({ content }: Pick<UserMessage, 'content'>, isLeftOut?: IsLeftOut): ModelMessage {
  return { role: 'user', content: toUserContent(content, isLeftOut) };
}

/** What the system rows say, if there are any. */
export function systemOf(messages: readonly StoredMessage[]): string | undefined {
  const prompts = messages.filter(isPrompt);
  return prompts.length === 0 ? undefined : prompts.map(({ content }) => content).join('\n\n');
}

class Builder {
  readonly #isLeftOut: IsLeftOut | undefined;
  readonly #messages: ModelMessage[] = [];
  #content: AssistantPart[] = [];
  /** Results of tools that the provider did not run: they go into a message of their own. */
  #results: ToolPart[] = [];
  readonly #open = new Map<string, CallPart>();

  constructor(isLeftOut: IsLeftOut | undefined) {
    this.#isLeftOut = isLeftOut;
  }

  take(message: StoredMessage): void {
    if (message.type === 'user') {
      this.#endAnswer();
      this.#messages.push(toUserMessage({ content: contentOf(message) }, this.#isLeftOut));
    } else if (isSummary(message)) {
      this.#messages.push(toUserMessage({ content: summaryText(message.content) }));
    } else if (message.type === 'agent') {
      this.#endResults();
      this.#speak(message);
    } else if (message.type === 'tool' && message.isToolUse === true) {
      this.#endResults();
      this.#call(message);
    } else if (message.type === 'tool') {
      this.#answer(message);
    } else if (message.metadata?.kind === 'approval_request') {
      this.#content.push({
        type: 'tool-approval-request',
        approvalId: message.metadata.approvalId ?? '',
        toolCallId: message.toolId ?? '',
      });
    } else if (message.metadata?.kind === 'approval_answer') {
      this.#approve(message);
    }
  }

  end({ isAnswered = false } = {}): ModelMessage[] {
    // The calls that were approved are run by what comes next.
    if (isAnswered) this.#endResults();
    else this.#endAnswer();
    return this.#messages;
  }

  #speak({ content, metadata }: StoredMessage): void {
    const isThinking = metadata?.kind === 'thinking';
    // An empty text says nothing, unless the provider hung something on it.
    if (content === '' && metadata?.provider === undefined) return;
    this.#content.push({ type: isThinking ? 'reasoning' : 'text', text: content, ...optionsOf(metadata?.provider) });
  }

  #call({ toolId = '', toolName = '', toolInput = {}, metadata }: StoredMessage): void {
    const isProviders = metadata?.providerExecuted ?? true;
    const call: CallPart = {
      type: 'tool-call',
      toolCallId: toolId,
      toolName,
      input: toolInput,
      ...(isProviders ? { providerExecuted: true } : {}),
      ...optionsOf(metadata?.provider),
    };
    // The same id again, and the first one never got its result.
    this.#interrupt(this.#open.get(toolId));
    this.#open.set(toolId, call);
    this.#content.push(call);
  }

  #approve({ toolId = '', metadata }: StoredMessage): void {
    const { approvalId = '', approved = false, reason } = metadata ?? {};
    const call = this.#open.get(toolId);
    if (call === undefined) return;
    this.#results.push({
      type: 'tool-approval-response',
      approvalId,
      approved,
      ...(reason === undefined ? {} : { reason }),
      ...(call.providerExecuted === true ? { providerExecuted: true } : {}),
    });
  }

  #answer(message: StoredMessage): void {
    const call = this.#open.get(message.toolId ?? '');
    if (call === undefined) return;
    this.#result(call, outputOf(message), optionsOf(message.metadata?.provider));
  }

  #result(call: CallPart, output: Output, options: { providerOptions?: never } = {}): void {
    const { toolCallId, toolName } = call;
    this.#open.delete(toolCallId);
    const result: ResultPart = { type: 'tool-result', toolCallId, toolName, output, ...options };
    if (call.providerExecuted !== true) {
      this.#results.push(result);
      return;
    }
    // An approved call has its result behind the approval.
    this.#endResults();
    this.#content.push(result);
  }

  #interrupt(call: CallPart | undefined): void {
    if (call !== undefined) this.#result(call, { type: 'error-text', value: INTERRUPTED_RESULT });
  }

  #endAnswer(): void {
    for (const call of this.#open.values()) this.#interrupt(call);
    this.#endResults();
    this.#endContent();
  }

  #endResults(): void {
    if (this.#results.length === 0) return;
    this.#endContent();
    this.#messages.push({ role: 'tool', content: this.#results });
    this.#results = [];
  }

  #endContent(): void {
    if (this.#content.length > 0) this.#messages.push({ role: 'assistant', content: this.#content });
    this.#content = [];
  }
}

function outputOf({ toolResult, content, metadata }: StoredMessage): Output {
  // The session's rows hold JSON; one that was handed in may hold anything.
  const value = (toolResult === undefined ? content : plainJson(toolResult)) as string;
  if (metadata?.interrupted === true) return { type: 'error-text', value: content };
  if (toolResult instanceof Error) return { type: 'error-text', value };
  if (metadata?.isError === true) return { type: 'error-json', value };
  return typeof value === 'string' ? { type: 'text', value } : { type: 'json', value };
}

/** Metadata of the provider's parts goes back to it as options. */
function optionsOf(provider: ProviderMetadata | undefined): { providerOptions?: never } {
  // The SDK takes an object of objects, and refuses the whole prompt for anything else.
  const isFine = isObject(provider) && Object.values(provider ?? {}).every(isObject);
  return isFine ? { providerOptions: provider as never } : {};
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

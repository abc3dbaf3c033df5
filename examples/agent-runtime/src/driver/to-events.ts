import type { LanguageModelUsage, TextStreamPart, ToolSet } from 'ai';

import type { DriverStreamEvent, EventData, EventUsage, InterruptReason, StopReason } from '../types/events.js';
import type { AdapterMessage, ProviderMetadata } from '../types/messages.js';
import { event } from './events.js';
import { describeError } from './describe-error.js';
import { RowBuilder } from './row-builder.js';

type RoundUsage = Partial<Pick<LanguageModelUsage, 'inputTokens' | 'outputTokens'>>;
type Part = TextStreamPart<ToolSet>;
type PartOf<Type extends Part['type']> = Extract<Part, { type: Type }>;

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'content_filter',
  error: 'error',
};

export interface EventMapperOptions {
  readonly model: () => string;
  /** The id of the first response; known when its first part comes. */
  readonly responseId: () => string | undefined;
  readonly onRow: (row: AdapterMessage) => void;
}

/** Makes events of the parts of one `fullStream`, and rows of them as soon as they are whole. */
export class EventMapper {
  readonly #options: EventMapperOptions;
  readonly #rows: RowBuilder;
  #hasStarted = false;
  /** Said right before the end, so that nothing stands between the two. */
  #error: EventData<'error'> | undefined;
  #rounds = 0;
  #contextTokens: number | undefined;
  #hasAsked = false;
  readonly #started = new Set<string>();
  readonly #called = new Set<string>();

  constructor(options: EventMapperOptions) {
    this.#options = options;
    this.#rows = new RowBuilder(options.onRow);
  }

  /** The events of a part, in order. */
  map(part: Part): DriverStreamEvent[] {
    const events = this.#read(part);
    return events.length > 0 ? [...this.#start(), ...events] : [];
  }

  /** Something was left out of the request. */
  warn(message: string): DriverStreamEvent[] {
    return [...this.#start(), event('warning', { message })];
  }

  /** The stream broke, or was never there. */
  fail(error: unknown): void {
    this.#error ??= describeError(error);
  }

  /** The last events, of a stream that did not say that it was over. */
  stop(): DriverStreamEvent[] {
    this.#rows.flush();
    return [...this.#start(), ...this.#stopped('other')];
  }

  interrupted(reason: InterruptReason): DriverStreamEvent[] {
    this.#rows.flush();
    return [...this.#start(), event('interrupted', { reason })];
  }

  #start(): DriverStreamEvent[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    const { model, responseId } = this.#options;
    return [event('message_start', { messageId: responseId() ?? crypto.randomUUID(), model: model() })];
  }

  #read(part: Part): DriverStreamEvent[] {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        return this.#say('text', part);
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.#say('thinking', part);
      case 'tool-input-start':
        return this.#startCall(part.id, part.toolName);
      case 'tool-input-delta':
        return [event('input_json_delta', { toolCallId: part.id, partialJson: part.delta })];
      case 'tool-call':
        return this.#call(part);
      case 'tool-result':
        return part.preliminary === true ? [] : this.#answer(part, part.output);
      case 'tool-approval-request':
        return this.#askApproval(part);
      case 'tool-error':
        return this.#answer(part, plainError(part.error), true);
      case 'error':
        this.fail(part.error);
        return [];
      case 'finish-step':
        this.#rounds += roundsOf(part.providerMetadata).length;
        this.#contextTokens = tokensOf(roundsOf(part.providerMetadata).at(-1)?.usage ?? part.usage);
        return [];
      case 'finish':
        return this.#finish(part);
      default:
        return [];
    }
  }

  #say(
    kind: 'text' | 'thinking',
    part: PartOf<'text-start' | 'text-delta' | 'text-end' | 'reasoning-start' | 'reasoning-delta' | 'reasoning-end'>,
  ): DriverStreamEvent[] {
    const provider = part.providerMetadata as ProviderMetadata | undefined;
    if (part.type === 'text-end' || part.type === 'reasoning-end') {
      this.#rows.endSaying(kind, part.id, provider);
      return [];
    }
    const text = 'text' in part ? part.text : '';
    this.#rows.say(kind, part.id, text, provider);
    if (text === '') return [];
    return [event(kind === 'text' ? 'text_delta' : 'thinking_delta', { text })];
  }

  #startCall(toolCallId: string, toolName: string): DriverStreamEvent[] {
    if (this.#started.has(toolCallId)) return [];
    this.#started.add(toolCallId);
    return [event('tool_use_start', { toolCallId, toolName })];
  }

  #call(part: PartOf<'tool-call'>): DriverStreamEvent[] {
    const { toolCallId, toolName, input } = part;
    const events = this.#startCall(toolCallId, toolName);
    this.#started.delete(toolCallId);
    this.#called.add(toolCallId);
    this.#rows.call(toolCallId, toolName, input, {
      provider: part.providerMetadata as ProviderMetadata | undefined,
      providerExecuted: part.providerExecuted === true,
    });
    return [...events, event('tool_use_stop', { toolCallId, toolName, input })];
  }

  #askApproval({ approvalId, toolCall }: PartOf<'tool-approval-request'>): DriverStreamEvent[] {
    const { toolCallId, toolName, input } = toolCall;
    this.#rows.ask(approvalId, { toolCallId, toolName, input });
    this.#hasAsked = true;
    return [event('approval_request', { approvalId, toolCallId, toolName, input })];
  }

  #answer(part: PartOf<'tool-result' | 'tool-error'>, result: unknown, isThrown = false): DriverStreamEvent[] {
    const { toolCallId, toolName } = part;
    const before = this.#called.has(toolCallId) ? [] : this.#call(callOf(part));
    this.#called.delete(toolCallId);
    const { providerMetadata } = part as { providerMetadata?: ProviderMetadata };
    this.#rows.result(toolCallId, toolName, result, {
      provider: providerMetadata,
      providerExecuted: part.providerExecuted === true,
      isError: isThrown,
    });
    const isError = isThrown || (result as { isError?: unknown } | null)?.isError === true;
    return [...before, event('tool_result', { toolCallId, result, ...(isError ? { isError } : {}) })];
  }

  #finish({ finishReason, totalUsage }: PartOf<'finish'>): DriverStreamEvent[] {
    this.#rows.flush();
    return [
      event('message_delta', { usage: { ...usageOf(totalUsage), ...contextOf(this.#contextTokens) } }),
      ...this.#stopped(this.#hasAsked ? 'approval_needed' : (STOP_REASONS[finishReason] ?? 'other')),
    ];
  }

  #stopped(stopReason: StopReason): DriverStreamEvent[] {
    const rounds = this.#rounds > 0 ? { rounds: this.#rounds } : {};
    if (this.#error === undefined) return [event('message_stop', { stopReason, ...rounds })];
    return [event('error', this.#error), event('message_stop', { stopReason: 'error', ...rounds })];
  }
}

/** A result whose call was not seen: its result says all that is known of it. */
function callOf(part: PartOf<'tool-result' | 'tool-error'>): PartOf<'tool-call'> {
  const { toolCallId, toolName, input, providerExecuted } = part;
  return { type: 'tool-call', toolCallId, toolName, input, providerExecuted: providerExecuted === true, dynamic: true };
}

function plainError(error: unknown): unknown {
  return error instanceof Error ? error.message : error;
}

/** With our provider all rounds are one step, and its metadata lists them. */
function roundsOf(metadata: PartOf<'finish-step'>['providerMetadata']): readonly { readonly usage?: RoundUsage }[] {
  const rounds = metadata?.['responses-loop']?.['rounds'];
  return Array.isArray(rounds) ? (rounds as unknown as readonly { readonly usage?: RoundUsage }[]) : [{}];
}

function tokensOf({ inputTokens = 0, outputTokens = 0 }: RoundUsage): number {
  return inputTokens + outputTokens;
}

/** A server that counts nothing says nothing of the length. */
function contextOf(contextTokens = 0): Pick<EventUsage, 'contextTokens'> {
  return contextTokens === 0 ? {} : { contextTokens };
}

function usageOf(usage: PartOf<'finish'>['totalUsage']): EventUsage {
  const { cacheReadTokens, cacheWriteTokens } = usage.inputTokenDetails;
  return {
    inputTokens: usage.inputTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
    cachedInputTokens: cacheReadTokens ?? 0,
    reasoningTokens: usage.outputTokenDetails.reasoningTokens ?? 0,
    ...(cacheWriteTokens === undefined || cacheWriteTokens === 0 ? {} : { cacheCreationTokens: cacheWriteTokens }),
  };
}

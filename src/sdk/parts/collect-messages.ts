import { INTERRUPTED_TEXT } from '../../core/message.js';
import { defined } from '../../util/defined.js';
import { asRecord, asString, rowOf } from '../../util/guards.js';
import { METADATA_KEY, type ProviderMetadata, type WithOptions } from './metadata.js';
import { type Spoken, SpokenTexts } from './spoken.js';

/** A message of the AI SDK, 5, 6 or 7. */
export type MessageSoFar =
  | { role: 'assistant'; content: AssistantPartSoFar[] }
  | { role: 'tool'; content: ToolResultSoFar[] };

export type AssistantPartSoFar =
  | (WithOptions & Spoken)
  | (WithOptions & { type: 'file'; data: string; mediaType: string })
  | (WithOptions & {
      type: 'tool-call';
      toolCallId: string;
      toolName: string;
      input: unknown;
      providerExecuted?: boolean;
    })
  | ToolResultSoFar;

export interface ToolResultSoFar extends WithOptions {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: { type: 'text' | 'error-text'; value: string } | { type: 'json' | 'error-json'; value: JsonOut };
}

type JsonOut = ProviderMetadata[string][string];

type Part = Readonly<Record<string, unknown>>;

/** Returns the messages of a stream's parts, after any end. */
export async function collectMessages(stream: AsyncIterable<unknown> | Iterable<unknown>): Promise<MessageSoFar[]> {
  const collector = new Collector();
  try {
    for await (const part of stream) collector.take(asRecord(part) ?? {});
  } catch {
    // The earlier parts count, as after an `error` part.
    collector.isBroken = true;
  }
  return collector.end();
}

class Collector {
  isBroken = false;
  isFinished = false;
  readonly #messages: MessageSoFar[] = [];
  /** Of the step. */
  #content: AssistantPartSoFar[] = [];
  #toolContent: Extract<MessageSoFar, { role: 'tool' }>['content'] = [];
  #texts = new SpokenTexts();
  /** Calls without a result. */
  readonly #open = new Map<string, Part>();
  readonly #answered = new Set<string>();

  take(part: Part): void {
    const said = this.#texts.take(part);
    if (said === undefined) return rowOf(TAKE, String(part['type']))?.(this, part);
    if (said.isNew) this.#content.push(said.spoken);
    Object.assign(said.spoken, optionsOf(part));
  }

  end(): MessageSoFar[] {
    // Calls that a complete stream leaves open are for the client to answer.
    const open = this.isBroken || !this.isFinished ? [...this.#open.values()] : [];
    for (const { providerMetadata: _ofCall, ...call } of open) this.answer(call, outputOf(INTERRUPTED_TEXT, 'error-'));
    this.endStep();
    return this.#messages;
  }

  endStep(): void {
    const content = this.#content.filter(
      (part) => part.type !== 'text' || part.text !== '' || part.providerOptions !== undefined,
    );
    if (content.length > 0) this.#messages.push({ role: 'assistant', content });
    if (this.#toolContent.length > 0) this.#messages.push({ role: 'tool', content: this.#toolContent });
    this.#content = [];
    this.#toolContent = [];
    this.#texts = new SpokenTexts();
  }

  call(part: Part): void {
    const names = namesOf(part);
    const { input } = part;
    this.#open.set(names.toolCallId, part);
    // A few servers number the calls of each response from one, so this is another call with its own result.
    this.#answered.delete(names.toolCallId);
    this.#content.push({
      type: 'tool-call',
      ...names,
      input: part['invalid'] === true && typeof input !== 'object' ? {} : input,
      ...(part['providerExecuted'] === true ? { providerExecuted: true } : {}),
      ...optionsOf(part),
    });
  }

  /** Only the last of the results that a tool streams is one. */
  answer(part: Part, output: ToolResultSoFar['output']): void {
    if (part['preliminary'] === true || isMarked(part)) return;
    const names = namesOf(part);
    const result: ToolResultSoFar = { type: 'tool-result', ...names, output, ...optionsOf(part) };
    if (this.#answered.has(names.toolCallId)) return this.#replacePreview(result);
    this.#answered.add(names.toolCallId);
    this.#open.delete(names.toolCallId);
    if (part['providerExecuted'] === true) this.#content.push(result);
    else this.#toolContent.push(result);
  }

  /** The user is asked: whether the call runs is in the next prompt. */
  ask(part: Part): void {
    const { type: _type, providerMetadata: _metadata, toolCall, ...request } = part;
    const { toolCallId } = namesOf(asRecord(toolCall) ?? part);
    this.#open.delete(toolCallId);
    this.other({ type: 'tool-approval-request', ...request, toolCallId });
  }

  decide(part: Part): void {
    const { type: _type, providerMetadata: _metadata, toolCall, ...response } = part;
    const call = namesOf(asRecord(toolCall) ?? {});
    // Only some versions have these two, and this package is built without their types.
    this.#toolContent.push({ type: 'tool-approval-response', ...response } as unknown as ToolResultSoFar);
    if (response['approved'] !== false) return;
    this.#open.delete(call.toolCallId);
    this.#toolContent.push({
      type: 'tool-result',
      ...call,
      output: { type: 'execution-denied', ...defined({ reason: response['reason'] }) },
    } as unknown as ToolResultSoFar);
  }

  /** A part that only some versions have: this package is built without their types. */
  other(part: Part): void {
    this.#content.push(part as unknown as AssistantPartSoFar);
  }

  /** AI SDK 6 and 7 remove the mark of previews of the server's tools, so the last result counts. */
  #replacePreview(result: ToolResultSoFar): void {
    const at = this.#content.findIndex((part) => part.type === 'tool-result' && part.toolCallId === result.toolCallId);
    if (at >= 0) this.#content[at] = result;
  }
}

type Take = (collector: Collector, part: Part) => void;

const broken: Take = (collector) => {
  collector.isBroken = true;
};

const file: Take = (collector, part) => {
  const { base64, mediaType } = asRecord(part['file']) ?? {};
  if (typeof base64 === 'string') collector.other({ type: part['type'], data: base64, mediaType, ...optionsOf(part) });
};

const TAKE: Readonly<Record<string, Take>> = {
  'start-step': (collector) => collector.endStep(),
  file,
  'reasoning-file': file,
  custom: (collector, part) => collector.other({ type: 'custom', kind: part['kind'], ...optionsOf(part) }),
  'tool-call': (collector, part) => collector.call(part),
  'tool-result': (collector, part) => collector.answer(part, outputOf(part['output'])),
  'tool-error': (collector, part) => collector.answer(part, errorOf(part['error'])),
  'tool-approval-request': (collector, part) => collector.ask(part),
  'tool-approval-response': (collector, part) => collector.decide(part),
  error: broken,
  abort: broken,
  finish: (collector) => {
    collector.isFinished = true;
  },
};

/** Whether a result is a preliminary one of ours, whose flag the AI SDK has dropped. */
function isMarked({ type, providerMetadata }: Part): boolean {
  return type === 'tool-result' && asRecord(asRecord(providerMetadata)?.[METADATA_KEY])?.['preliminary'] === true;
}

function namesOf(part: Part): { readonly toolCallId: string; readonly toolName: string } {
  return { toolCallId: asString(part['toolCallId']) ?? '', toolName: asString(part['toolName']) ?? '' };
}

function optionsOf({ providerMetadata }: Part): WithOptions {
  return defined({ providerOptions: (providerMetadata ?? undefined) as ProviderMetadata | undefined });
}

function outputOf(value: unknown, kind: '' | 'error-' = ''): ToolResultSoFar['output'] {
  if (typeof value === 'string') return { type: `${kind}text`, value };
  return { type: `${kind}json`, value: (value ?? null) as JsonOut };
}

function errorOf(error: unknown): ToolResultSoFar['output'] {
  return outputOf(error instanceof Error ? error.message : error, 'error-');
}

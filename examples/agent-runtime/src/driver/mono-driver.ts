import { summaryRequest } from 'responses-loop-example-shared/summary-words.js';
import { closingStep } from 'responses-loop-example-shared/closing-step.js';
import {
  jsonSchema,
  type LanguageModel,
  Output,
  stepCountIs,
  streamText,
  type TextStreamPart,
  type ToolSet,
  wrapLanguageModel,
} from 'ai';

import { withinGrace } from '../core/abortable.js';
import { asRead } from '../core/as-read.js';
import { AgentError } from '../core/agent-error.js';
import type { Driver, DriverConfig, SendOptions } from '../types/driver.js';
import type { DriverStreamEvent } from '../types/events.js';
import type { StoredMessage, UserMessage } from '../types/messages.js';
import { DriverState, type Reception } from './driver-state.js';
import { LeaveOut } from './leave-out.js';
import { DEFAULT_MAX_STEPS, type Models, type MonoDriverOptions, openModels } from './models.js';
import { SummaryText } from './summary-text.js';
import { EventMapper } from './to-events.js';
import { systemOf, toMessages, toUserMessage } from './to-messages.js';

/** An interrupted stream ends at once; a model that takes no notice is not waited for. */
const GRACE_MS = 1000;

/** A driver that asks one model, with the whole session each time; the provider runs the tools. */
export function createMonoDriver(config: Partial<DriverConfig<MonoDriverOptions>> = {}): Driver {
  return new MonoDriver(config);
}

/** In place of the words of a session that asks for a summary of itself. */
const SUMMARY: UserMessage = {
  content: summaryRequest('what was done and found, results of tools that matter'),
};

/** Parts that come before it is known whether the request was taken. */
const OPENING: ReadonlySet<string> = new Set(['start', 'start-step']);

/** How one message is asked about. */
interface Asking {
  readonly options: SendOptions;
  readonly reception: Reception;
  /** All that was said before the message. */
  readonly history: readonly StoredMessage[];
  readonly leaveOut: LeaveOut;
  /** Of a request for a summary. */
  readonly summary: SummaryText | undefined;
  /** Tools that the AI SDK runs. */
  readonly tools: ToolSet | undefined;
}

class MonoDriver implements Driver {
  readonly name = 'mono';
  readonly supportedProtocols = ['openai'] as const;
  readonly reportsMessages = true;
  readonly #config: Partial<DriverConfig<MonoDriverOptions>>;
  readonly #state = new DriverState('mono');
  #models: Models | undefined;
  #sessionId: string | null = null;

  constructor(config: Partial<DriverConfig<MonoDriverOptions>>) {
    this.#config = config;
  }

  get sessionId(): string | null {
    return this.#sessionId;
  }

  get state(): Driver['state'] {
    return this.#state.state;
  }

  async initialize(): Promise<void> {
    this.#state.initialize();
    checkResumed(this.#config);
    this.#models = openModels(this.#config);
    this.#sessionId = this.#config.session?.id ?? this.#config.resumeSessionId ?? crypto.randomUUID();
    this.#config.onSessionIdCaptured?.(this.#sessionId);
  }

  receive(message: UserMessage, options: SendOptions = {}): AsyncIterable<DriverStreamEvent> {
    const models = this.#models;
    const reception = this.#state.start({ signal: options.signal, timeoutMs: this.#config.timeout });
    // A driver that may start was initialized.
    if (models === undefined) throw new AgentError('not_initialized', 'receive(): call initialize() first.');
    return this.#answer(models, message, options, reception);
  }

  interrupt(): void {
    this.#state.interrupt();
  }

  async dispose(): Promise<void> {
    if (this.#state.dispose()) await this.#models?.close();
  }

  async *#answer(
    models: Models,
    message: UserMessage,
    options: SendOptions,
    reception: Reception,
  ): AsyncGenerator<DriverStreamEvent> {
    reception.begin();
    let responseId: string | undefined;
    let name = options.model ?? '';
    const mapper = new EventMapper({
      model: () => name,
      responseId: () => responseId,
      onRow: (row) => this.#config.onMessage?.(row),
    });
    try {
      const model = models.model(options.model);
      name = typeof model === 'string' ? model : model.modelId;
      const watched = watch(model, { onId: (id) => (responseId ??= id), mayCall: options.purpose !== 'summary' });
      const history = await this.#history(message);
      const leaveOut = new LeaveOut(history);
      const summary = options.purpose === 'summary' ? new SummaryText(history) : undefined;
      const tools = summary === undefined ? await models.tools?.() : undefined;
      const parts = this.#parts(watched, message, { options, reception, history, leaveOut, summary, tools })[
        Symbol.asyncIterator
      ]();
      let isWarned = false;
      for (;;) {
        const next = await withinGrace(parts.next(), reception.signal, GRACE_MS);
        if (next === undefined || reception.signal.aborted || next.done === true) break;
        // By now it is known what the request could not hold.
        if (!isWarned && !OPENING.has(next.value.type)) {
          isWarned = true;
          const lacks = leaveOut.warning();
          if (lacks !== undefined) yield* mapper.warn(lacks);
        }
        for (const event of mapper.map(next.value)) {
          yield event;
          if (event.type === 'message_stop') return;
        }
      }
    } catch (error) {
      mapper.fail(error);
    } finally {
      this.#state.end(reception);
    }
    yield* reception.signal.aborted ? mapper.interrupted(reception.reason()) : mapper.stop();
  }

  /** The parts of the answer. A request that is refused for what it holds is made again with less in it. */
  async *#parts(model: LanguageModel, message: UserMessage, asking: Asking): AsyncGenerator<TextStreamPart<ToolSet>> {
    for (let isOver = false; !isOver;) {
      isOver = true;
      let isOpening = true;
      for await (const part of this.#ask(model, message, asking)) {
        if (isOpening && part.type === 'error' && takes(asking, part.error)) {
          isOver = false;
          break;
        }
        isOpening &&= OPENING.has(part.type);
        yield part;
      }
    }
  }

  #ask(model: LanguageModel, message: UserMessage, asking: Asking) {
    const { options, reception, history, leaveOut, summary, tools } = asking;
    const system = systemOf(history) ?? this.#config.systemPrompt;
    const providerOptions = providerOptionsOf(options);
    const { schema } = options;
    return streamText({
      model,
      messages: [
        ...(summary?.messages ?? toMessages(history, leaveOut.isLeftOut)),
        // Answers to questions are in the history.
        ...(message.content.length === 0 ? [] : [toUserMessage(summary === undefined ? message : SUMMARY)]),
      ],
      ...stepsOf(tools, this.#config.options?.maxSteps ?? DEFAULT_MAX_STEPS),
      abortSignal: reception.signal,
      ...telemetryOf(this.#config.options?.telemetry),
      ...(schema === undefined ? {} : { output: Output.object({ schema: jsonSchema(schema) }) }),
      ...(system === undefined ? {} : { system }),
      ...(providerOptions === undefined ? {} : { providerOptions: providerOptions as never }),
      // Errors are parts; by default they would be printed as well.
      onError: () => {},
    }).fullStream;
  }

  /** The session without the message itself, which is sent once. */
  async #history({ id }: UserMessage): Promise<readonly StoredMessage[]> {
    const { session, resumeSessionId, loadMessages } = this.#config;
    const resumed = resumeSessionId === undefined ? undefined : loadMessages?.(resumeSessionId);
    const messages = asRead(session?.getMessages() ?? (await resumed) ?? []);
    return id === undefined ? messages : messages.filter((message) => message.id !== id);
  }
}

function takes({ leaveOut, summary }: Asking, error: unknown): boolean {
  return leaveOut.takes(error) || summary?.takes(error) === true;
}

/** A session that is named and cannot be read would be left out without a word. */
function checkResumed({ session, resumeSessionId, loadMessages }: Partial<DriverConfig<MonoDriverOptions>>): void {
  if (resumeSessionId === undefined || session !== undefined || loadMessages !== undefined) return;
  throw new AgentError(
    'bad_settings',
    `\`resumeSessionId\` is ${resumeSessionId}, and nothing reads that session: add \`session\`, or \`loadMessages: (id) => persister.getMessages(id)\`.`,
  );
}

function stepsOf(
  tools: ToolSet | undefined,
  maxSteps: number,
): Pick<Parameters<typeof streamText>[0], 'tools' | 'stopWhen' | 'prepareStep'> {
  if (tools === undefined) return { stopWhen: stepCountIs(maxSteps) };
  return { tools, stopWhen: stepCountIs(maxSteps + 1), prepareStep: closingStep(maxSteps) };
}

interface Watching {
  /** Takes the id of each response before its first part; the SDK says it only at the end. */
  readonly onId: (id: string) => void;
  /** The SDK leaves a choice of tools out if the call brings none; the provider's are offered unless it is there. */
  readonly mayCall: boolean;
}

function watch(model: LanguageModel, { onId, mayCall }: Watching): LanguageModel {
  if (typeof model === 'string' || model.specificationVersion !== 'v3') return model;
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v3',
      transformParams: async ({ params }) => (mayCall ? params : { ...params, toolChoice: { type: 'none' } }),
      wrapStream: async ({ doStream }) => {
        const { stream, ...rest } = await doStream();
        const parts = new TransformStream<StreamPart, StreamPart>({
          transform(part, controller) {
            if (part.type === 'response-metadata' && part.id !== undefined) onId(part.id);
            controller.enqueue(part);
          },
        });
        return { ...rest, stream: stream.pipeThrough(parts) };
      },
    },
  });
}

function telemetryOf(
  telemetry: MonoDriverOptions['telemetry'],
): Pick<Parameters<typeof streamText>[0], 'experimental_telemetry'> {
  return telemetry === undefined ? {} : { experimental_telemetry: telemetry };
}

type WrappedModel = Parameters<typeof wrapLanguageModel>[0]['model'];
type StreamPart = Awaited<ReturnType<WrappedModel['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never;

function providerOptionsOf({ thinking, providerOptions }: SendOptions): SendOptions['providerOptions'] {
  if (thinking === undefined) return providerOptions;
  const effort =
    thinking === 'disabled' ? { reasoningEffort: 'none' } : { reasoningEffort: thinking, reasoningSummary: 'auto' };
  return { ...providerOptions, openai: { ...effort, ...providerOptions?.['openai'] } };
}

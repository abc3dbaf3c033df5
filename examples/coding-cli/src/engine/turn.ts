import { jsonSchema, type ModelMessage, Output, stepCountIs, streamText, type ToolSet } from 'ai';
import { closingStep } from 'responses-loop-example-shared/closing-step.js';
import type { OpenedModel } from 'responses-loop-example-shared/open-model.js';
import { describeError } from './describe-error.js';
import { LIMITS } from './limits.js';
import type { Task } from './task.js';
import { type PartListener, TurnParts } from './turn-parts.js';

/** Tools that the AI SDK runs, and in how many steps the model may call them. */
export interface SdkTools {
  readonly tools: ToolSet;
  readonly maxTurns: number;
}

export interface TurnOptions {
  readonly task: Task;
  readonly opened: OpenedModel;
  /** Characters that the call may grow to. */
  readonly maxLoopChars: number;
  readonly system: string;
  readonly messages: ModelMessage[];
  readonly listener: PartListener;
  readonly sdkTools?: SdkTools | undefined;
  /** Tools that the server runs. */
  readonly hosted?: ToolSet | undefined;
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
  readonly onWarning: (code: string, message: string) => void;
}

type Streamed = ReturnType<typeof ask>['fullStream'] extends AsyncIterable<infer Part> ? Part : never;

/** One call of the model with all its rounds. How it ended stands in the task. */
export async function runTurn(options: TurnOptions): Promise<void> {
  const { task, listener } = options;
  const parts = new TurnParts(listener);
  try {
    const stream = ask(options).fullStream[Symbol.asyncIterator]();
    for (;;) {
      const next = await withinGrace(stream.next(), task.signal, LIMITS.abortGraceMs);
      if (next === undefined || next.done === true) break;
      parts.add(next.value);
      look(next.value, options);
    }
  } catch (error) {
    if (!task.signal.aborted) task.end('error', describeError(error));
  } finally {
    parts.end();
  }
}

function ask(options: TurnOptions) {
  const { opened, maxLoopChars, system, messages, task, outputSchema } = options;
  return streamText({
    model: opened.provider(opened.model, { maxLoopChars }),
    system,
    messages,
    abortSignal: task.signal,
    ...stepsOf(options),
    ...(outputSchema === undefined ? {} : { output: Output.object({ schema: jsonSchema(outputSchema) }) }),
    // Errors are parts; by default they would be printed as well.
    onError: () => {},
  });
}

function stepsOf({ sdkTools, hosted, task }: TurnOptions) {
  if (sdkTools === undefined) return hosted === undefined ? {} : { tools: hosted };
  const { tools, maxTurns } = sdkTools;
  const prepareStep = closingStep(maxTurns, () => endAtLimit(task, maxTurns));
  return { tools: { ...tools, ...hosted }, stopWhen: stepCountIs(maxTurns + 1), prepareStep };
}

function endAtLimit(task: Task, maxTurns: number): void {
  const message = `Stopped after ${maxTurns} tool rounds (--max-turns); the model was asked for a final answer.`;
  task.end('max_turns', { code: 'max_turns', message, retryable: false });
}

/** What a part says of how the turn ends. */
function look(part: Streamed, { task, onWarning }: TurnOptions): void {
  if (part.type === 'error') {
    if (!task.signal.aborted) task.end('error', describeError(part.error));
    return;
  }
  if (part.type !== 'finish-step') return;
  const limit = limitOf(part.providerMetadata);
  if (limit?.name === 'maxRounds') {
    endAtLimit(task, limit.value);
  } else if (limit !== undefined) {
    onWarning('limit', `The limit ${limit.name} (${limit.value}) was reached; the model was asked for a final answer.`);
  }
  if (part.finishReason === 'length') onWarning('cut_off', 'The answer was cut off by the limit of output tokens.');
  if (part.finishReason === 'content-filter')
    onWarning('content_filter', 'The answer was cut off by a content filter.');
}

function limitOf(metadata: unknown): { readonly name: string; readonly value: number } | undefined {
  const ours = (metadata as Record<string, Record<string, unknown>> | undefined)?.['responses-loop'];
  return ours?.['limit'] as { name: string; value: number } | undefined;
}

/** The promise's value; `undefined` if it is not there within `graceMs` after the signal. */
async function withinGrace<T>(promise: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const givenUp = new Promise<undefined>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve(undefined), graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, givenUp]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
    // Given up, it may still fail later.
    promise.catch(() => {});
  }
}

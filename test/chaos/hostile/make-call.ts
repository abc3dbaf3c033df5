import type { JsonObject } from '../../../src/core/json.js';
import { within } from '../within.js';
import type { AnyPart, CallOutcome } from './observation.js';

/** A model of any version of the AI SDK. */
export interface AnyModel {
  doStream(options: JsonObject): Promise<{ stream: ReadableStream<AnyPart> }>;
  doGenerate(options: JsonObject): Promise<JsonObject>;
}

/** Longer than any of them needs, pauses and time limits included. */
const BOUND_MS = 20_000;

type Draft = { -readonly [K in keyof CallOutcome]: CallOutcome[K] } & { parts: AnyPart[] };

/** Makes a call, reads it to its end, and gives it up if it has none. */
export async function makeCall(
  model: () => AnyModel,
  method: 'doStream' | 'doGenerate',
  options: JsonObject,
): Promise<CallOutcome> {
  const draft: Draft = {
    parts: [],
    result: undefined,
    error: undefined,
    finishReason: undefined,
    broke: undefined,
    ended: false,
  };
  const giveUp = new AbortController();
  // A signal is no JSON; everything else of the options is.
  const all = { ...options, abortSignal: giveUp.signal } as unknown as JsonObject;
  const running = run(model, method, all, draft).then(() => void (draft.ended = !giveUp.signal.aborted));
  await within(running, BOUND_MS);
  giveUp.abort();
  return draft;
}

async function run(
  model: () => AnyModel,
  method: 'doStream' | 'doGenerate',
  options: JsonObject,
  draft: Draft,
): Promise<void> {
  try {
    if (method === 'doGenerate') {
      draft.result = await model().doGenerate(options);
      draft.finishReason = reasonOf(draft.result['finishReason']);
      return;
    }
    const { stream } = await model().doStream(options);
    await read(stream, draft);
  } catch (error) {
    draft.error = error;
  }
}

async function read(stream: ReadableStream<AnyPart>, draft: Draft): Promise<void> {
  try {
    for await (const part of stream) {
      draft.parts.push(part);
      if (part.type === 'error') draft.error = part['error'];
      if (part.type === 'finish') draft.finishReason = reasonOf(part['finishReason']);
    }
  } catch (error) {
    draft.broke = error;
  }
}

/** A word in V2, an object since. */
function reasonOf(reason: unknown): string | undefined {
  if (typeof reason === 'string') return reason;
  return typeof reason === 'object' && reason !== null && 'unified' in reason ? String(reason.unified) : undefined;
}

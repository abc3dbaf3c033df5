import { asRecord } from '../../util/guards.js';
import { causeCode } from './failure.js';
import type { McpCallContext, McpMeta } from './server-config.js';

/** In `_meta`: what a server may take for an idempotency key. */
export const IDEMPOTENCY_KEY = 'responses-loop/idempotency-key';

/** In `_meta`, with a journal: the id of the call, as functions of the app get it. */
export const TOOL_CALL_ID = 'responses-loop/tool-call-id';

/** What the settings put into `_meta` of a call. */
export async function givenMeta(meta: McpMeta, context: McpCallContext): Promise<Record<string, unknown>> {
  if (typeof meta !== 'function') return meta;
  const fail = (why: string): Error => new Error(`Not called: the \`meta\` function of its server ${why}.`);
  const given = asRecord(await askApp(() => meta(context), fail));
  if (given === undefined) throw fail('returned something that is not an object');
  return given;
}

/** Calls a function of the settings. What it throws is told without its text, which may hold what it was asked to fetch. */
export async function askApp<T>(ask: () => T, fail: (why: string) => Error): Promise<Awaited<T>> {
  try {
    return await ask();
  } catch (error) {
    throw fail(`failed (${causeCode(error) ?? (error instanceof Error ? error.name : typeof error)})`);
  }
}

/** The calls under way by their keys, so that a request can be asked which call it belongs to. */
export class CallsUnderWay {
  readonly #byKey = new Map<string, McpCallContext>();

  /** Call what is returned when the call ends. */
  enter(key: string, context: McpCallContext): () => void {
    this.#byKey.set(key, context);
    return () => void this.#byKey.delete(key);
  }

  /** The call that a request belongs to; `undefined` for one that belongs to none, such as a listing. */
  of(init: RequestInit | undefined): McpCallContext | undefined {
    if (this.#byKey.size === 0 || init?.method !== 'POST' || typeof init.body !== 'string') return undefined;
    // Parsing costs: most requests that belong to no call are recognised by this.
    if (!init.body.includes(IDEMPOTENCY_KEY)) return undefined;
    try {
      const meta = asRecord(asRecord(asRecord(JSON.parse(init.body))?.['params'])?.['_meta']);
      return this.#byKey.get(String(meta?.[IDEMPOTENCY_KEY]));
    } catch {
      return undefined;
    }
  }
}

import { asRecord } from '../../util/guards.js';
import { causeCode } from './failure.js';
import type { McpCallContext, McpMeta } from './server-config.js';

/** The `_meta` key that a server can use as an idempotency key. */
export const IDEMPOTENCY_KEY = 'responses-loop/idempotency-key';

/** The `_meta` key of the call's id, as the app's functions get it. Sent only if a plugin takes part in the call. */
export const TOOL_CALL_ID = 'responses-loop/tool-call-id';

/** Returns what the settings put into `_meta` of a call. */
export async function givenMeta(meta: McpMeta, context: McpCallContext): Promise<Record<string, unknown>> {
  if (typeof meta !== 'function') return meta;
  const fail = (why: string): Error => new Error(`Not called: the \`meta\` function of its server ${why}.`);
  const given = asRecord(await askApp(() => meta(context), fail));
  if (given === undefined) throw fail('returned something that is not an object');
  return given;
}

/** Calls a function of the app. Its error text is dropped, because it may hold the secret that it fetched. */
export async function askApp<T>(ask: () => T, fail: (why: string) => Error): Promise<Awaited<T>> {
  try {
    return await ask();
  } catch (error) {
    throw fail(`failed (${causeCode(error) ?? (error instanceof Error ? error.name : typeof error)})`);
  }
}

/** Keeps the running calls by key, so that a request can be matched to its call. */
export class CallsUnderWay {
  readonly #byKey = new Map<string, McpCallContext>();

  /** Registers a call. The returned function removes it. */
  enter(key: string, context: McpCallContext): () => void {
    this.#byKey.set(key, context);
    return () => void this.#byKey.delete(key);
  }

  /** Returns the call that a request belongs to; `undefined` for a listing and the like. */
  of(init: RequestInit | undefined): McpCallContext | undefined {
    if (this.#byKey.size === 0 || init?.method !== 'POST' || typeof init.body !== 'string') return undefined;
    // A cheap check before parsing: most requests that belong to no call end here.
    if (!init.body.includes(IDEMPOTENCY_KEY)) return undefined;
    try {
      const meta = asRecord(asRecord(asRecord(JSON.parse(init.body))?.['params'])?.['_meta']);
      return this.#byKey.get(String(meta?.[IDEMPOTENCY_KEY]));
    } catch {
      return undefined;
    }
  }
}

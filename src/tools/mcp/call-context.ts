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
  let given: unknown;
  try {
    given = await meta(context);
  } catch (error) {
    // Without its text, which may hold what it was asked to fetch.
    const kind = causeCode(error) ?? (error instanceof Error ? error.name : typeof error);
    throw new MetaFailed(`Not called: the \`meta\` function of its server failed (${kind}).`);
  }
  const record = asRecord(given);
  if (record !== undefined) return record;
  throw new MetaFailed('Not called: the `meta` function of its server returned something that is not an object.');
}

/** The app's own code failed, before anything was sent. */
class MetaFailed extends Error {}

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

import type { Transport } from '@modelcontextprotocol/client';
import { asId, asRecord } from '../../../util/guards.js';

/** Marks requests of ours in `_meta`, on the way through the SDK only: its methods stay as they are for the app. */
export const OURS = 'responses-loop/ours';
/** Where the result as it came lies in the one that the SDK sees. */
export const AS_IT_CAME = 'responses-loop/as-it-came';

/**
 * What the SDK refuses to pass on unless it fits its closed schemas, where one odd tool would cost the whole list, and one odd
 * block a whole result. Of our own requests it sees these in place of what came.
 */
const STAND_INS: Readonly<Record<string, object>> = {
  'tools/list': { tools: [], ttlMs: 0, cacheScope: 'private' },
  'tools/call': { content: [] },
  'resources/read': { contents: [], ttlMs: 0, cacheScope: 'private' },
};

/** A transport as the client for revision 2026-07-28 sees it, which cannot close it: an older one may go on with it. */
export function viewOf(transport: Transport, kind: 'stdio' | 'http'): Transport {
  const methods = new Map<string | number, string>();
  const view: Transport = {
    // This is how the SDK distinguishes processes, whose silence and end mean "too old", from other transports.
    ...(kind === 'stdio' ? { stderr: null, pid: null } : {}),
    ...(transport.hasPerRequestStream === true ? { hasPerRequestStream: true } : {}),
    get sessionId() {
      return transport.sessionId;
    },
    setProtocolVersion: (version) => transport.setProtocolVersion?.(version),
    start: () => transport.start(),
    send: (message, options) => transport.send(unmarked(message, methods), options),
    close: async () => {},
  };
  transport.onmessage = (message, extra) => view.onmessage?.(withStandIn(message, methods), extra);
  transport.onclose = () => view.onclose?.();
  transport.onerror = (error) => view.onerror?.(error);
  return view;
}

/** Takes our mark off a request and remembers it. */
function unmarked<T>(message: T, methods: Map<string | number, string>): T {
  const { id, method, params } = asRecord(message) ?? {};
  const given = asRecord(params);
  const meta = asRecord(given?.['_meta']);
  if (meta?.[OURS] !== true) return message;
  if ((typeof id === 'string' || typeof id === 'number') && asId(method) !== undefined) methods.set(id, String(method));
  const { [OURS]: _mark, ...rest } = meta;
  return { ...message, params: { ...given, _meta: rest } };
}

function withStandIn<T>(message: T, methods: Map<string | number, string>): T {
  const { id, method, result } = asRecord(message) ?? {};
  if (method !== undefined || (typeof id !== 'string' && typeof id !== 'number')) return message;
  const asked = methods.get(id);
  methods.delete(id);
  const came = asRecord(result);
  const standIn = asked === undefined ? undefined : STAND_INS[asked];
  // What is not complete is the SDK's to deal with.
  if (standIn === undefined || came?.['resultType'] !== 'complete') return message;
  return { ...message, result: { resultType: 'complete', ...standIn, [AS_IT_CAME]: came } };
}

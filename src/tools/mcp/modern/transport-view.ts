import type { Transport } from '@modelcontextprotocol/client';
import { asId, asRecord } from '../../../util/guards.js';

/** Marks our requests in `_meta` while they pass through the SDK; the app's use of the SDK stays unchanged. */
export const OURS = 'responses-loop/ours';
/** The member of the SDK's result that holds the raw result. */
export const AS_IT_CAME = 'responses-loop/as-it-came';

/**
 * Stand-ins for results that the SDK would check against closed schemas, which lose a whole list for one odd tool and a
 * whole result for one odd block.
 */
const STAND_INS: Readonly<Record<string, object>> = {
  'tools/list': { tools: [], ttlMs: 0, cacheScope: 'private' },
  'tools/call': { content: [] },
  'resources/read': { contents: [], ttlMs: 0, cacheScope: 'private' },
};

/**
 * Wraps a transport for the client of revision 2026-07-28. The client cannot close it, because an older client may
 * continue on it.
 */
export function viewOf(transport: Transport, kind: 'stdio' | 'http'): Transport {
  const methods = new Map<string | number, string>();
  const view: Transport = {
    // By these members the SDK recognizes processes, whose silence or end means "too old".
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

/** Removes our mark from a request and remembers it. */
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
  // The SDK handles incomplete results.
  if (standIn === undefined || came?.['resultType'] !== 'complete') return message;
  return { ...message, result: { resultType: 'complete', ...standIn, [AS_IT_CAME]: came } };
}

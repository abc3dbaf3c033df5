import { z } from 'zod';

/** The revision of the extension that the page speaks. */
export const PROTOCOL = '2026-01-26';

const id = z.union([z.string().max(200), z.number()]);
const text = z.string().max(10_000);
const textBlock = z.object({ type: z.literal('text'), text });
const record = z.record(z.string(), z.unknown());

/** What an app may ask for. Everything else is refused. */
export const REQUESTS = {
  'ui/initialize': z.object({ protocolVersion: z.string().max(100).optional() }),
  ping: z.unknown(),
  'tools/call': z.object({ name: z.string().min(1).max(200), arguments: record.default({}) }),
  'resources/read': z.object({ uri: z.string().min(1).max(2_000) }),
  'ui/open-link': z.object({ url: z.string().min(1).max(4_000) }),
  'ui/message': z.object({
    role: z.literal('user').optional(),
    content: z.union([textBlock.transform((one) => [one]), z.array(textBlock).min(1).max(20)]),
  }),
  'ui/request-display-mode': z.object({ mode: z.string().max(100) }),
} as const;

/** What an app may tell. Everything else is passed over. */
export const NOTIFICATIONS = {
  'ui/notifications/initialized': z.unknown(),
  'ui/notifications/size-changed': z.object({ height: z.number().positive().optional() }),
} as const;

export type RequestName = keyof typeof REQUESTS;
export type Params<Name extends RequestName> = z.output<(typeof REQUESTS)[Name]>;

const MESSAGE = z.object({
  jsonrpc: z.literal('2.0'),
  id: id.optional(),
  method: z.string().max(100),
  params: z.unknown().optional(),
});
export type AppMessage = z.output<typeof MESSAGE>;

/** The longest message, as JSON. */
const MAX_CHARS = 1_000_000;

/** `undefined` for what is no message; `'too long'` is one that was made to hold the page. */
export function readMessage(data: unknown): AppMessage | 'too long' | undefined {
  const size = sizeOf(data);
  if (size === undefined) return undefined;
  if (size > MAX_CHARS) return 'too long';
  const read = MESSAGE.safeParse(data);
  return read.success ? read.data : undefined;
}

/** What is no JSON, such as an object that holds itself, is no message. */
function sizeOf(data: unknown): number | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  try {
    return JSON.stringify(data).length;
  } catch {
    return undefined;
  }
}

export function isRequestName(method: string): method is RequestName {
  return Object.hasOwn(REQUESTS, method);
}

import { z } from 'zod';
import { durationOf } from '../core/duration.js';
import { MESSAGE_ID } from '../core/message-id.js';
import { HttpError } from './errors.js';

export const MAX_BODY_BYTES = 1024 * 1024;

const text = z.string().min(1);

const block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text }),
  z.strictObject({ type: z.literal('image'), data: text, mediaType: text.optional() }),
  z.strictObject({ type: z.literal('file'), data: text, mediaType: text, name: text.optional() }),
]);

export const NEW_SESSION = z.strictObject({ title: text.optional(), model: text.optional(), system: text.optional() });

export const MESSAGE = z.strictObject({
  id: z.string().regex(MESSAGE_ID, 'must have 1 to 64 letters, digits, "_" and "-"').optional(),
  content: z.union([text, z.array(block).min(1)], {
    error: 'must be a text, or a list of text, image and file blocks',
  }),
  model: text.optional(),
  thinking: z.enum(['disabled', 'low', 'medium', 'high']).optional(),
  schema: z.record(z.string(), z.unknown()).optional(),
});

export const ANSWERS = z.strictObject({
  answers: z
    .array(z.strictObject({ approvalId: text, approved: z.boolean(), reason: z.string().max(500).optional() }))
    .min(1),
});

const count = z.int().min(0);

export const FORK = z.strictObject({ turn: count.optional(), title: text.optional() });

export const PRUNE = z
  .strictObject({
    olderThan: z
      .string()
      .refine((written) => durationOf(written) !== undefined, 'has to be a number with m, h, d or w, such as 30d')
      .optional(),
    keep: count.optional(),
    dryRun: z.boolean().optional(),
  })
  .refine(({ olderThan, keep }) => olderThan !== undefined || keep !== undefined, 'needs "olderThan", "keep", or both');

const number = (fallback: number | undefined): z.ZodType<number | undefined> =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number from 0 on')
    .transform(Number)
    .optional()
    .transform((value) => value ?? fallback);

/** So that no answer holds a whole database. */
const MOST_ITEMS = 1000;

const items = (fallback: number | undefined): z.ZodType<number | undefined> =>
  number(fallback).refine(
    (value) => value === undefined || value <= MOST_ITEMS,
    `must be ${MOST_ITEMS} or less: ask for the rest with another request`,
  );

export const SESSIONS_PAGE = z.object({ limit: items(10), offset: number(0), search: text.optional() });
export const MESSAGES_PAGE = z.object({
  after: number(undefined),
  limit: items(MOST_ITEMS),
  latest: items(undefined),
});

/** Checks what came from outside, and names the field that is wrong. */
export function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys : issue?.path;
  const field = keys === undefined || keys.length === 0 ? 'The body' : `"${keys.join('.')}"`;
  throw new HttpError(400, 'bad_request', `${field}: ${issue?.message ?? 'is not right'}`);
}

/** The JSON of a request; nothing at all counts as an empty object. */
export async function readJson(request: Request): Promise<unknown> {
  const written = await readText(request);
  if (written.trim() === '') return {};
  try {
    return JSON.parse(written);
  } catch {
    throw new HttpError(400, 'bad_request', 'The body is not JSON.');
  }
}

/** No more of it is read than may be taken. */
async function readText(request: Request): Promise<string> {
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > MAX_BODY_BYTES) throw tooLarge();
  if (request.body === null) return '';
  const decoder = new TextDecoder();
  let [read, size] = ['', 0];
  for (const reader = request.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return read + decoder.decode();
    size += value.byteLength;
    if (size > MAX_BODY_BYTES) {
      await reader.cancel();
      throw tooLarge();
    }
    read += decoder.decode(value, { stream: true });
  }
}

function tooLarge(): HttpError {
  return new HttpError(413, 'too_large', `A body may have ${MAX_BODY_BYTES} bytes.`);
}

import { z } from 'zod';
import { DOCUMENT_KINDS } from '../documents/document-kinds.js';
import { HttpError } from '../errors.js';
import { isId } from '../store/ids.js';
import type { ChatRequest } from '../types.js';
import { isStockBody, toOwnBody } from './stock-body.js';

const MAX_FILES = 10;
const id = z.string().refine(isId, 'an id has 1 to 64 letters, digits, "_" and "-"');
/** Of the SDK or of a provider, which puts a signature into it. */
const approvalId = z.string().min(1).max(1_000);
const FILE_TYPE = /^(image\/[\w.+-]+|application\/pdf|text\/[\w.+-]+)$/i;
const DOCUMENT_TYPES: readonly string[] = Object.values(DOCUMENT_KINDS).map(({ mediaType }) => mediaType);

const text = z.strictObject({ type: z.literal('text'), text: z.string(), state: z.literal('done').optional() });
const skill = z.strictObject({
  type: z.literal('data-skill'),
  id: z.string().max(200).optional(),
  data: z.strictObject({ name: z.string().min(1).max(64) }),
});
const file = z
  .strictObject({
    type: z.literal('file'),
    mediaType: z
      .string()
      .refine(
        (type) => FILE_TYPE.test(type) || DOCUMENT_TYPES.includes(type),
        'only images, PDF, text, Word (.docx) and Excel (.xlsx) files are taken',
      ),
    filename: z.string().max(255).optional(),
    url: z.string().startsWith('data:', 'only data URLs are taken'),
  })
  .refine(({ mediaType, url }) => isDataUrlOf(url, mediaType), {
    path: ['url'],
    error: 'must be a data URL in base64 with the same media type',
  });

const MESSAGE = z.strictObject({
  id,
  role: z.literal('user', 'only messages of the user are taken'),
  parts: z
    .array(z.discriminatedUnion('type', [text, skill, file], 'only text, file and data-skill parts are taken'))
    .min(1)
    .max(100)
    .refine((parts) => parts.filter(({ type }) => type === 'file').length <= MAX_FILES, `at most ${MAX_FILES} files`)
    .refine((parts) => parts.some((part) => part.type !== 'text' || part.text.trim() !== ''), 'there is nothing in it'),
  // Of `useChat`; what a client says of its message is not kept.
  metadata: z.unknown().optional(),
});

const COMMON = {
  id,
  chatModelId: z.string().min(1).max(200).optional(),
  chatModelSource: z.enum(['loop', 'stock']).optional(),
  reasoningEffort: z.string().min(1).max(30).optional(),
  intent: z.enum(['chat', 'command', 'utility']).default('chat'),
  responseMode: z.enum(['stream', 'json']).default('stream'),
  // Pages that name themselves are not refused; nothing reads the names.
  clientId: z.string().max(200).optional(),
  tabId: z.string().max(200).optional(),
};

const ANSWER = z.strictObject({
  id: approvalId,
  approved: z.boolean(),
  reason: z.string().max(2_000).optional(),
  always: z.boolean().optional(),
});

const REQUEST = z.discriminatedUnion('trigger', [
  z.strictObject({
    ...COMMON,
    trigger: z.literal('submit-message'),
    message: MESSAGE,
    messageId: id.optional(),
    parentMessageId: id.nullable().optional(),
    whileRunning: z.enum(['queue', 'steer'], 'must be "queue" or "steer"').optional(),
  }),
  z.strictObject({ ...COMMON, trigger: z.literal('regenerate-message'), messageId: id.optional() }),
  z.strictObject({ ...COMMON, trigger: z.literal('approval-response'), approvals: z.array(ANSWER).min(1).max(100) }),
]);

/** @throws HttpError 422 with the path of the field. */
export function checkChatRequest(body: unknown): ChatRequest {
  const isStock = isStockBody(body);
  const request = check(REQUEST, isStock ? toOwnBody(body) : body) as ChatRequest;
  if (request.trigger === 'approval-response') {
    const ids = request.approvals.map((answer) => answer.id);
    if (new Set(ids).size !== ids.length) throw badRequest('"approvals": two answers have the same id');
    // The AI SDK sends the whole message, with answers that it has sent before.
    if (isStock) return { ...request, mayRepeat: true };
  }
  if (request.trigger === 'submit-message') checkEdit(request);
  if (request.intent !== 'chat' && request.trigger !== 'submit-message') {
    throw badRequest(`"intent": "${request.intent}" goes with the trigger "submit-message" only`);
  }
  return request;
}

/** `messageId` of a submitted message says that it takes the place of the one with its id. An edit waits for no turn. */
function checkEdit({
  message,
  messageId,
  parentMessageId,
  whileRunning,
  intent,
}: Extract<ChatRequest, { trigger: 'submit-message' }>): void {
  if (whileRunning !== undefined && (messageId !== undefined || parentMessageId !== undefined || intent !== 'chat')) {
    throw badRequest('"whileRunning": only a new message at the end of the chat can wait, not an edit or a command');
  }
  if (messageId === undefined) return;
  if (messageId !== message.id) throw badRequest('"messageId": it is not the id of the message that is sent');
  if (intent !== 'chat') throw badRequest(`"messageId": with the intent "${intent}" no message is edited`);
  if (parentMessageId !== undefined) throw badRequest('"parentMessageId": an edit stays at the place of its message');
}

/** Checks what came from outside, and names the field that is wrong. */
export function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const path = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])];
  const field = path.length === 0 ? 'The body' : `"${path.join('.')}"`;
  throw badRequest(`${field}: ${issue?.message ?? 'is not right'}`);
}

export function badRequest(message: string): HttpError {
  return new HttpError(422, 'bad_request', message.endsWith('.') ? message : `${message}.`);
}

function isDataUrlOf(url: string, mediaType: string): boolean {
  const [, found, data = ''] = /^data:([^;,]+)(?:;[^;,=]+=[^;,]*)*;base64,(.*)$/s.exec(url) ?? [];
  return found?.toLowerCase() === mediaType.toLowerCase() && /^[\w+/-]*={0,2}$/.test(data);
}

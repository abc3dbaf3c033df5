import { JobError, JobLimitError } from 'responses-loop-example-shared/run-job.js';
import { HttpError } from '../errors.js';
import { runFileJob } from '../tools/run-file-job.js';
import type { ChatPart, ChatRequest } from '../types.js';
import { DOCUMENT_KINDS, type DocumentKind, documentKindOf } from './document-kinds.js';

const KINDS = new Map<string, DocumentKind>(
  Object.entries(DOCUMENT_KINDS).map(([kind, { mediaType }]) => [mediaType, kind as DocumentKind]),
);
/** About 100,000 tokens. */
const MAX_CHARS = 400_000;

/**
 * Documents become their text once, before anything is stored: models and servers then have to know no more than text.
 *
 * @throws HttpError 422 `unreadable_file` that names the file and what to do.
 */
export async function readAttachments(request: ChatRequest, signal: AbortSignal): Promise<ChatRequest> {
  if (request.trigger !== 'submit-message') return request;
  const { message } = request;
  const parts = await Promise.all(message.parts.map((part) => asText(part, signal)));
  return { ...request, message: { ...message, parts } };
}

async function asText(part: ChatPart, signal: AbortSignal): Promise<ChatPart> {
  const kind = part.type === 'file' ? KINDS.get(part.mediaType) : undefined;
  if (part.type !== 'file' || kind === undefined) return part;
  const name = part.filename ?? `document.${kind}`;
  if (documentKindOf(name) !== kind) {
    throw unreadable(`${name} was sent as a ${DOCUMENT_KINDS[kind].label}, but its name does not end with .${kind}.`);
  }
  const text = await textOf({ name, kind, url: part.url }, signal);
  if (text.length > MAX_CHARS) {
    throw unreadable(
      `${name} has ${text.length.toLocaleString('en')} characters of text; a message can have ${MAX_CHARS.toLocaleString('en')} of each file. Put it into the folder of this server and ask for the part you need.`,
    );
  }
  const data = Buffer.from(text).toString('base64');
  return { ...part, filename: name, mediaType: 'text/plain', url: `data:text/plain;base64,${data}` };
}

interface Attached {
  readonly name: string;
  readonly kind: DocumentKind;
  readonly url: string;
}

async function textOf({ name, kind, url }: Attached, signal: AbortSignal): Promise<string> {
  const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  try {
    return await runFileJob('readDocument', { bytes, name, kind }, signal);
  } catch (error) {
    if (error instanceof JobLimitError) throw unreadable(`${name} is too large to be read here. Send a part of it.`);
    throw error instanceof JobError ? unreadable(error.message) : error;
  }
}

function unreadable(message: string): HttpError {
  return new HttpError(422, 'unreadable_file', message);
}

import { clean } from '../../core/clean-text.js';
import type { Message } from '../../core/message.js';
import { DEFAULT_LIMITS } from '../../core/limits.js';
import { limitReached } from '../../errors/limit-reached.js';
import { asRecord, asRecords, asString, rowOf } from '../../util/guards.js';
import { isDeeperThan } from '../../util/json.js';
import { parseApprovalId } from '../../core/approval-id.js';
import type { PromptPart } from '../history/part-metadata.js';
import { isPreview } from '../history/previews.js';
import { PromptReader, type PromptReaderOptions } from './prompt-reader.js';
import { readAssistantContent } from './read-assistant-content.js';
import { readControls } from './read-controls.js';
import { readFilePart } from './read-file.js';
import { readToolResult } from './read-tool-output.js';
import { defined } from '../../util/defined.js';

/**
 * Returns a prompt of any AI SDK version as a conversation. Looks at each part, because `ai` 6 and 7 send a V2 model
 * prompts of their own shapes. Drops unknown parts with a warning, and never throws.
 */
export function fromPrompt(
  prompt: readonly unknown[],
  options: PromptReaderOptions = {},
): { messages: Message[]; warnings: readonly string[] } {
  const reader = new PromptReader(prompt, options);
  const messages: Message[] = [];
  for (const [index, given] of prompt.entries()) {
    reader.begin(index);
    const message = asRecord(given) ?? {};
    const role = asString(message['role']) ?? '';
    const read = rowOf(ROLES, role);
    if (read === undefined) reader.warn(`has the role ${JSON.stringify(role)}, which is not known`);
    else messages.push(read(message, reader));
  }
  return { messages, warnings: reader.end() };
}

/** Levels of JSON in a prompt's own form: messages, parts and their results. */
const FORM_LEVELS = 32;
/** A prompt, a message, its list of parts, a part. */
const OUTER_LEVELS = 4;
/** The door of histories drops metadata that is too deep, with a warning. */
const METADATA: ReadonlySet<string> = new Set(['providerOptions', 'providerMetadata']);

/** Throws for a prompt that is nested too deep: encoding it would overflow the stack, and browsers post histories. */
export function checkPromptDepth(prompt: unknown, levels = DEFAULT_LIMITS.jsonDepth): void {
  if (isTooDeep(prompt, OUTER_LEVELS, levels + FORM_LEVELS))
    throw limitReached(clean`The prompt contains JSON that is nested more than ${levels} levels deep`, {
      name: 'limits.jsonDepth',
      value: levels,
    });
}

function isTooDeep(value: unknown, outer: number, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (outer === 0) return isDeeperThan(value, levels);
  if (ArrayBuffer.isView(value)) return false;
  for (const [name, member] of Object.entries(value))
    if (!METADATA.has(name) && isTooDeep(member, outer - 1, levels)) return true;
  return false;
}

type Content<Role extends Message['role']> = Extract<Message, { role: Role; content: unknown }>['content'];

const ROLES: Readonly<Record<string, (message: PromptPart, reader: PromptReader) => Message>> = {
  // An empty system message may have changes instead of text, as with `@ai-sdk/openai`.
  system: (message, reader) => ({
    role: 'system',
    text: partsOf(message['content'])
      .map((part) => asString(part['text']) ?? '')
      .join(''),
    ...reader.cacheMarkOf(message),
    ...reader.othersOf(message),
    ...readControls(message, reader),
  }),
  user: (message, reader) => ({
    role: 'user',
    content: partsOf(message['content']).flatMap((part) => readUserPart(part, reader)),
    ...reader.othersOf(message),
  }),
  assistant: ({ content }, reader) => ({
    role: 'assistant',
    content: reader.door.withoutLoose(readAssistantContent(partsOf(content), reader)),
  }),
  tool: (message, reader) => {
    if (reader.shown.approvals?.unclear.has(message))
      reader.note('Answers to several requests of a server for its own tools cannot be told apart.');
    const parts = partsOf(message['content']);
    const answered = new Set(parts.flatMap(serversRequest));
    return { role: 'tool', content: parts.flatMap((part) => readToolPart(part, reader, answered)) };
  },
};

function partsOf(content: unknown): PromptPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asRecords(content);
}

function readUserPart(part: PromptPart, reader: PromptReader): Content<'user'> {
  if (part['type'] === 'text')
    return [
      { type: 'text', text: asString(part['text']) ?? '', ...reader.cacheMarkOf(part), ...reader.othersOf(part) },
    ];
  const file = part['type'] === 'file' ? readFilePart(part, reader) : undefined;
  if (file !== undefined) return [{ ...file, ...reader.othersOf(part) }];
  reader.warnAbout(part);
  return [];
}

/** Returns the id of a server's request that the part answers. */
function serversRequest(part: PromptPart): string[] {
  const id = part['type'] === 'tool-approval-response' ? asString(part['approvalId']) : undefined;
  return id === undefined || parseApprovalId(id) !== undefined ? [] : [id];
}

function readToolPart(part: PromptPart, reader: PromptReader, answered: ReadonlySet<string>): Content<'tool'> {
  if (part['type'] === 'tool-result') {
    const denial = readDenial(part, reader);
    if (isServersDenial(part, reader, answered)) return denial;
    const metadata = reader.door.metadataOf(part);
    if (isPreview(part, metadata)) return denial;
    const result = readToolResult(part, metadata, reader);
    return [{ ...result, ...reader.shown.answered(part, result.members) }, ...denial];
  }
  const approvalId = asString(part['approvalId']);
  if (part['type'] !== 'tool-approval-response' || approvalId === undefined) {
    reader.warnAbout(part);
    return [];
  }
  const reason = asString(part['reason']);
  return [{ type: 'approval', approvalId, approved: part['approved'] === true, ...defined({ reason }) }];
}

/** Whether a result is the user's no to a request of the server, which has no call. */
function isServersDenial(part: PromptPart, { door, shown }: PromptReader, answered: ReadonlySet<string>): boolean {
  const output = asRecord(part['output']);
  if (output?.['type'] !== 'execution-denied') return false;
  const callId = asString(part['toolCallId']) ?? '';
  const { approvalId = shown.approvals?.byCallId.get(callId) ?? callId } = door.metadataOf(output).vendor;
  return answered.has(approvalId) || (approvalId !== callId && parseApprovalId(approvalId) === undefined);
}

/**
 * Returns the denial in a result: `generateText` of `ai` 6 and 7 writes it so, with the id of the request. The id
 * counts only if it belongs to the denied call.
 */
function readDenial(part: PromptPart, reader: PromptReader): Content<'tool'> {
  const output = asRecord(part['output']) ?? {};
  if (output['type'] !== 'execution-denied') return [];
  const { approvalId } = reader.door.metadataOf(output).vendor;
  if (approvalId === undefined) return [];
  const callId = asString(part['toolCallId']) ?? '';
  const isAbout = (parseApprovalId(approvalId)?.callId ?? approvalId) === callId;
  if (!isAbout && reader.shown.approvals?.byCallId.get(callId) !== approvalId) return [];
  return [{ type: 'approval', approvalId, approved: false, ...defined({ reason: asString(output['reason']) }) }];
}

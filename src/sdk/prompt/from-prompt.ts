import type { Message } from '../../core/message.js';
import { asRecord, asRecords, asString, rowOf } from '../../util/guards.js';
import { LooseOutputs } from '../history/loose-outputs.js';
import { parseApprovalId } from '../../core/approval-id.js';
import { cacheMarkOf, createPromptReader, type PromptReader, type PromptReaderOptions } from './prompt-reader.js';
import { readAssistantContent } from './read-assistant-content.js';
import { readControls } from './read-controls.js';
import { readFilePart } from './read-file.js';
import { readToolResult } from './read-tool-output.js';
import { defined } from '../../util/defined.js';

/**
 * A prompt of any AI SDK version as a conversation. A V2 model under `ai` 6 and 7 is handed prompts of their own shapes,
 * so the shapes are told apart by looking; what is not known is left out with a warning, never thrown at.
 */
export function fromPrompt(
  prompt: readonly unknown[],
  options: PromptReaderOptions = {},
): { messages: Message[]; warnings: readonly string[] } {
  const reader = createPromptReader(prompt, options);
  const loose = new LooseOutputs((where, what) => reader.drop(where, what));
  const messages = prompt.flatMap((message, index) => {
    reader.at(index);
    const role = asString(asRecord(message)?.['role']) ?? '';
    const read = rowOf(ROLES, role);
    if (read === undefined) {
      reader.warn(`has the role ${JSON.stringify(role)}, which is not known`);
      return [];
    }
    return [loose.without(read(asRecord(message) ?? {}, reader))];
  });
  return { messages, warnings: reader.end() };
}

type PromptMessage = Readonly<Record<string, unknown>>;

const ROLES: Readonly<Record<string, (message: PromptMessage, reader: PromptReader) => Message>> = {
  system: readSystem,
  user: ({ content }, reader) => ({
    role: 'user',
    content: partsOf(content).flatMap((part) => readUserPart(part, reader)),
  }),
  assistant: ({ content }, reader) => ({ role: 'assistant', content: readAssistantContent(partsOf(content), reader) }),
  tool: (message, reader) => {
    if (reader.shown.isUnclear(message))
      reader.note(
        'Answers to several requests of a server for its own tools cannot be told apart; none of them was sent.',
      );
    return { role: 'tool', content: partsOf(message['content']).flatMap((part) => readToolPart(part, reader)) };
  },
};

/** An empty system message may carry changes instead of text, as with the stock provider. */
function readSystem(message: PromptMessage, reader: PromptReader): Message {
  const { content } = message;
  return {
    role: 'system',
    text: asString(content) ?? textOf(content),
    ...cacheMarkOf(reader.optionsOf(message)),
    ...readControls(message, reader),
  };
}

function readToolPart(
  part: Record<string, unknown>,
  reader: PromptReader,
): Extract<Message, { role: 'tool' }>['content'] {
  if (part['type'] === 'tool-result') {
    const metadata = reader.metadataOf(part);
    const result = readToolResult(part, metadata, reader);
    return [{ ...result, ...reader.shown.answered(part, result.members) }, ...readDenial(part, reader)];
  }
  const approvalId = asString(part['approvalId']);
  if (part['type'] === 'tool-approval-response' && approvalId !== undefined) {
    const reason = asString(part['reason']);
    return [
      {
        type: 'approval',
        approvalId,
        approved: part['approved'] === true,
        ...defined({ reason }),
      },
    ];
  }
  reader.warnAbout(part);
  return [];
}

/**
 * `generateText` of `ai` 6 and 7 writes a denial as a result; the id of the request stands beside it, and counts where it
 * is about the very call that was denied.
 */
function readDenial(
  part: Record<string, unknown>,
  reader: PromptReader,
): Extract<Message, { role: 'tool' }>['content'] {
  const output = asRecord(part['output']) ?? {};
  if (output['type'] !== 'execution-denied') return [];
  const { approvalId } = reader.metadataOf(output).stock;
  if (approvalId === undefined) return [];
  const callId = asString(part['toolCallId']) ?? '';
  const isAbout = (parseApprovalId(approvalId)?.callId ?? approvalId) === callId;
  if (!isAbout && reader.shown.requestOfCall(callId) !== approvalId) return [];
  return [{ type: 'approval', approvalId, approved: false, ...defined({ reason: asString(output['reason']) }) }];
}

function readUserPart(
  part: Record<string, unknown>,
  reader: PromptReader,
): Extract<Message, { role: 'user' }>['content'] {
  if (part['type'] === 'text')
    return [{ type: 'text', text: asString(part['text']) ?? '', ...cacheMarkOf(reader.optionsOf(part)) }];
  if (part['type'] === 'file') {
    const file = readFilePart(part, reader);
    return file === undefined ? [] : [file];
  }
  reader.warnAbout(part);
  return [];
}

function partsOf(content: unknown): Record<string, unknown>[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asRecords(content);
}

function textOf(content: unknown): string {
  return partsOf(content)
    .map((part) => asString(part['text']) ?? '')
    .join('');
}

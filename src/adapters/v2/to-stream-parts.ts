import type { LanguageModelV2StreamPart } from '@ai-sdk/provider';
import type { ToolOutput } from '../../core/message.js';
import type { CallPart } from '../../core/part.js';
import {
  callToMetadata,
  factsToMetadata,
  finishToMetadata,
  hostedToMetadata,
  type MetadataContext,
  type ProviderMetadata,
} from '../../provider/metadata.js';
import { toFinishReason, toUsage } from './to-finish.js';
import { defined } from '../../util/defined.js';

type PartOf<T extends CallPart['type']> = Extract<CallPart, { type: T }>;
type Mapper<T extends CallPart['type']> = (part: PartOf<T>, context: MetadataContext) => LanguageModelV2StreamPart;

/** One of our parts as a V2 stream part. */
export function toStreamPart(part: CallPart, context: MetadataContext): LanguageModelV2StreamPart {
  // TypeScript cannot see that key and mapper of the table belong together.
  const map = MAPPERS[part.type] as Mapper<CallPart['type']>;
  return map(part, context);
}

/** `ai` 6 and 7 take a provider-run tool they do not know only as dynamic; V2 types have no word for it, but it gets through. */
const BY_PROVIDER = { providerExecuted: true, dynamic: true } as const;

const MAPPERS: { readonly [T in CallPart['type']]: Mapper<T> } = {
  response: ({ responseId, model, createdAt }) => ({
    type: 'response-metadata',
    ...defined({ id: responseId, modelId: model }),
    ...(createdAt === undefined ? {} : { timestamp: new Date(createdAt * 1000) }),
  }),
  'text-start': ({ id, facts }, context) => ({
    type: 'text-start',
    id,
    ...withMetadata(factsToMetadata(facts, context)),
  }),
  'text-delta': ({ id, delta }) => ({ type: 'text-delta', id, delta }),
  'text-end': ({ id, facts }, context) => ({ type: 'text-end', id, ...withMetadata(factsToMetadata(facts, context)) }),
  'reasoning-start': ({ id, facts }, context) => ({
    type: 'reasoning-start',
    id,
    ...withMetadata(factsToMetadata(facts, context)),
  }),
  'reasoning-delta': ({ id, delta }) => ({ type: 'reasoning-delta', id, delta }),
  'reasoning-end': ({ id, facts }, context) => ({
    type: 'reasoning-end',
    id,
    ...withMetadata(factsToMetadata(facts, context)),
  }),
  source: toSource,
  file: ({ mediaType, base64 }) => ({ type: 'file', mediaType, data: base64 }),
  raw: ({ event }) => ({ type: 'raw', rawValue: event }),
  'tool-input-start': ({ callId, name, origin }) => ({
    type: 'tool-input-start',
    id: callId,
    toolName: name,
    ...(origin === 'client' ? {} : BY_PROVIDER),
  }),
  'tool-input-delta': ({ callId, delta }) => ({ type: 'tool-input-delta', id: callId, delta }),
  'tool-input-end': ({ callId }) => ({ type: 'tool-input-end', id: callId }),
  'tool-call': (call, context) => ({
    type: 'tool-call',
    toolCallId: call.callId,
    toolName: call.name,
    input: call.input,
    ...(call.origin === 'client' ? {} : BY_PROVIDER),
    ...withMetadata(callToMetadata(call, context)),
  }),
  'tool-result': ({ callId, name, output }) => ({
    type: 'tool-result',
    toolCallId: callId,
    toolName: name,
    result: toResult(output),
    ...(output.isError ? { isError: true } : {}),
    ...BY_PROVIDER,
  }),
  'hosted-call': ({ callId, name, input, item }, context) => ({
    type: 'tool-call',
    toolCallId: callId,
    toolName: name,
    input,
    ...BY_PROVIDER,
    ...withMetadata(hostedToMetadata(item, context)),
  }),
  'hosted-result': ({ callId, name, result, isError }) => ({
    type: 'tool-result',
    toolCallId: callId,
    toolName: name,
    result,
    ...(isError ? { isError: true } : {}),
    ...BY_PROVIDER,
  }),
  error: ({ error }) => ({ type: 'error', error }),
  finish: (finish) => ({
    type: 'finish',
    finishReason: toFinishReason(finish.finishReason),
    usage: toUsage(finish.usage),
    providerMetadata: finishToMetadata(finish),
  }),
};

function toSource(source: PartOf<'source'>): LanguageModelV2StreamPart {
  const { id } = source;
  if (source.kind === 'url') {
    return {
      type: 'source',
      sourceType: 'url',
      id,
      url: source.url,
      ...defined({ title: source.title }),
    };
  }
  const { title, filename, fileId, containerId } = source;
  return {
    type: 'source',
    sourceType: 'document',
    id,
    mediaType: 'text/plain',
    title,
    ...defined({ filename }),
    ...(fileId === undefined
      ? {}
      : { providerMetadata: { openai: { fileId, ...(containerId === undefined ? {} : { containerId }) } } }),
  };
}

/** What a user interface shows: the structured value, else the text, else everything in the SDK's words. */
function toResult(output: ToolOutput): unknown {
  if (output.value !== undefined) return output.value;
  if (output.content.every((part) => part.type === 'text')) return output.content.map((part) => part.text).join('\n');
  return { type: 'content', value: output.content.map(toContentPart) };
}

function toContentPart(part: ToolOutput['content'][number]): object {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { source, mediaType } = part;
  if (source.type === 'data') return { type: 'media', data: source.base64, mediaType };
  return source.type === 'url'
    ? { type: 'file-url', url: source.url, mediaType }
    : { type: 'file-id', fileId: source.id, mediaType };
}

function withMetadata(providerMetadata: ProviderMetadata | undefined): { providerMetadata?: ProviderMetadata } {
  return providerMetadata === undefined ? {} : { providerMetadata };
}

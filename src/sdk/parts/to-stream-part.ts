import type { JsonObject } from '../../core/json.js';
import type { CallPart } from '../../core/part.js';
import type { Unsupported } from '../../core/warning.js';
import { defined } from '../../util/defined.js';
import { callToMetadata, factsToMetadata, type MetadataContext } from './metadata.js';
import type { CommonPart, SourcePart, WarningOf, WithMetadata } from './stream-parts.js';

export type PartOf<T extends CallPart['type']> = Extract<CallPart, { type: T }>;

/** The parts that no two versions of the AI SDK spell alike. */
type OwnType = 'file' | 'tool-result' | 'finish';

type SpokenType = `${'text' | 'reasoning'}-${'start' | 'end'}`;

type Mapper<T extends CallPart['type'], Part> = (part: PartOf<T>, context: MetadataContext) => Part;

/** For a part that a version does not have, and that the engine was not asked for: its coming would be our mistake. */
function unsupportedPart({ type }: CallPart): CommonPart {
  return { type: 'error', error: new Error(`There is no ${type} in this version of the AI SDK.`) };
}

/** `ai` 6 and 7 take a provider-run tool they do not know only as dynamic; V2 types have no word for it, but it gets through. */
export const BY_PROVIDER = { providerExecuted: true, dynamic: true } as const;

/** The mappers that all versions share, and those that a few lack. */
const COMMON_MAPPERS: { readonly [T in Exclude<CallPart['type'], OwnType>]: Mapper<T, CommonPart> } = {
  response: ({ responseId, model, createdAt }) => ({
    type: 'response-metadata',
    ...defined({ id: responseId, modelId: model, timestamp: timestampOf(createdAt) }),
  }),
  'text-start': toSpoken,
  // As they are: nothing else refers to them.
  'text-delta': (part) => part,
  'text-end': toSpoken,
  'reasoning-start': toSpoken,
  'reasoning-delta': (part) => part,
  'reasoning-end': toSpoken,
  source: toSource,
  raw: ({ event }) => ({ type: 'raw', rawValue: event }),
  'tool-input-start': ({ callId, name, origin, encoding }) => ({
    type: 'tool-input-start',
    id: callId,
    toolName: name,
    ...defined({ inputEncoding: encoding }),
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
    ...defined({ providerMetadata: callToMetadata(call, context) }),
  }),
  'approval-request': unsupportedPart,
  'shown-item': unsupportedPart,
  error: ({ error }) => ({ type: 'error', error }),
};

/** The start or the end of a text or of reasoning. */
export function toSpoken<Type extends SpokenType>(
  { type, id, facts }: { readonly type: Type } & PartOf<SpokenType>,
  context: MetadataContext,
): { type: Type; id: string } & WithMetadata {
  return { type, id, ...defined({ providerMetadata: factsToMetadata(facts, context) }) };
}

/** A source in the AI SDK's words. */
export function toSource(source: PartOf<'source'>): SourcePart {
  const { id } = source;
  if (source.kind === 'url')
    return { type: 'source', sourceType: 'url', id, url: source.url, ...defined({ title: source.title }) };
  const { title, fileId, containerId, annotationType, index } = source;
  // A file of the answer whose kind is not known.
  const isMade = annotationType === 'file_path';
  return {
    type: 'source',
    sourceType: 'document',
    id,
    mediaType: isMade ? 'application/octet-stream' : 'text/plain',
    title,
    ...defined({ filename: source.filename ?? (isMade ? fileId : undefined) }),
    ...(fileId === undefined
      ? {}
      : { providerMetadata: { openai: defined({ type: annotationType, fileId, containerId, index }) } }),
  };
}

/** In seconds by the specification; servers that count otherwise mean another time. */
function timestampOf(createdAt: number | undefined): Date | undefined {
  return createdAt === undefined || createdAt > YEAR_3000 ? undefined : new Date(createdAt * 1_000);
}

/** In seconds since the epoch. */
const YEAR_3000 = 32_503_680_000;

/** The parts and defaults of one version of the AI SDK. */
interface VersionTraits {
  /** Which parts of loop tools are emitted by default. */
  readonly toolParts: 'all' | 'declared';
  /** Whether this version has approval-request parts. Without them, tools that need approval are denied. */
  readonly canAskUser: boolean;
  /** Which items of the server this version has a part for: its summary of a long conversation. Default: none. */
  readonly isItemVisible?: (item: JsonObject) => boolean;
  /** Whether this version has results that others follow. Default `false`. */
  readonly previews?: boolean;
  /** A function without `strict` is as strict as `strictJsonSchema`, as V2 functions are. Default `false`. */
  readonly functionsFollowSchema?: boolean;
  /** An effort is asked for with a summary of the reasoning, if the back end's own provider does so. Default `false`. */
  readonly asksForSummary?: boolean;
}

/** The parts that one version of the AI SDK writes differently. */
export interface SpecVersion<Part> {
  readonly traits: VersionTraits;
  /** Returns a warning about an unsent part, in this version's form. */
  unsupported(what: Unsupported): WarningOf<Part>;
  /** Each version has one of its own: what the engine learns of it in a call speeds up the next. */
  toPart(part: CallPart, context: MetadataContext): CommonPart | Part;
}

/** The parts that a version writes in its own way: ends of texts if they have more members than in others. */
type OwnMappers<Part> = { readonly [T in OwnType]: Mapper<T, Part> } & {
  readonly [T in 'text-end' | 'approval-request' | 'shown-item']?: Mapper<T, Part>;
};

export function describeVersion<Part>(
  version: Pick<SpecVersion<Part>, 'traits' | 'unsupported'>,
  mappers: OwnMappers<CommonPart | Part>,
): SpecVersion<Part> {
  const table = { ...COMMON_MAPPERS, ...mappers };
  return {
    ...version,
    // TypeScript cannot see that key and mapper of the table belong together.
    toPart: (part, context) => (table[part.type] as Mapper<CallPart['type'], CommonPart | Part>)(part, context),
  };
}

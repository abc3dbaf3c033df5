import type { JsonObject } from '../../core/json.js';
import type { FileContent } from '../../core/message.js';
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

/** Returns the error for a part that a version lacks. Only a mistake of this package would emit one. */
function unsupportedPart({ type }: CallPart): CommonPart {
  return { type: 'error', error: new Error(`This version of the AI SDK does not support ${type}.`) };
}

/** Marks a call or result of no tool that the SDK knows. `ai` 6 and 7 need `dynamic`; V2 passes it on, although no type has it. */
export const BY_PROVIDER = { providerExecuted: true, dynamic: true } as const;

/** The mappers that versions share. A few versions lack the last ones. */
const COMMON_MAPPERS: { readonly [T in Exclude<CallPart['type'], OwnType>]: Mapper<T, CommonPart> } = {
  response: ({ responseId, model, createdAt }) => ({
    type: 'response-metadata',
    ...defined({ id: responseId, modelId: model, timestamp: timestampOf(createdAt) }),
  }),
  'text-start': toSpoken,
  // Deltas are the same in every version.
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

export function toSource(source: PartOf<'source'>): SourcePart {
  const { id } = source;
  if (source.kind === 'url')
    return { type: 'source', sourceType: 'url', id, url: source.url, ...defined({ title: source.title }) };
  const { title, fileId, containerId, annotationType, index } = source;
  // The kind of a generated file is unknown.
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

/** Returns no date for a number past the year 3000, because such a server does not count seconds. */
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
  /** Whether this version has a part for an item, the server's summary. @default for none */
  readonly isItemVisible?: (item: JsonObject) => boolean;
  /** Whether this version has preliminary results. @default `false` */
  readonly previews?: boolean;
  /** A function without `strict` is as strict as `strictJsonSchema`, as V2 functions are. @default `false` */
  readonly functionsFollowSchema?: boolean;
  /** An effort requests a summary of the reasoning too, if the back end's own provider does so. @default `false` */
  readonly asksForSummary?: boolean;
  /** Results contain the URL of the request. @default `false` */
  readonly tellsUrl?: boolean;
}

/** The parts that one version of the AI SDK writes differently. */
export interface SpecVersion<Part> {
  readonly traits: VersionTraits;
  /** Returns a file of a tool's result, in this version's form. */
  readonly toResultFile: (file: FileContent) => JsonObject;
  /** Returns a warning about an unsent part, in this version's form. */
  unsupported(what: Unsupported): WarningOf<Part>;
  /** Returns the part of this version. One function per version, so that the engine can optimize each. */
  toPart(part: CallPart, context: MetadataContext): CommonPart | Part;
}

/** The mappers of one version. */
type OwnMappers<Part> = { readonly [T in OwnType]: Mapper<T, Part> } & {
  readonly [T in 'text-end' | 'approval-request' | 'shown-item']?: Mapper<T, Part>;
};

export function describeVersion<Part>(
  version: Pick<SpecVersion<Part>, 'traits' | 'toResultFile' | 'unsupported'>,
  mappers: OwnMappers<CommonPart | Part>,
): SpecVersion<Part> {
  const table = { ...COMMON_MAPPERS, ...mappers };
  return {
    ...version,
    // TypeScript cannot see that key and mapper of the table belong together.
    toPart: (part, context) => (table[part.type] as Mapper<CallPart['type'], CommonPart | Part>)(part, context),
  };
}

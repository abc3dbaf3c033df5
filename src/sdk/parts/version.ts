import type { CallPart } from '../../core/part.js';
import type { Unsupported } from '../../core/warning.js';
import type { MetadataContext } from './metadata.js';
import type { CommonPart, WarningOf } from './stream-parts.js';
import { COMMON_MAPPERS, type Mapper, type OwnType } from './to-stream-part.js';

/** What one version of the AI SDK has parts and defaults for. */
interface VersionTraits {
  /** Which parts of loop tools are emitted by default. */
  readonly toolParts: 'all' | 'declared';
  /** Whether this version has approval-request parts. Without them, tools that need approval are denied. */
  readonly canAskUser: boolean;
  /** Whether this version has a part for the server's summary of a long conversation. Default `false`. */
  readonly emitsCompaction?: boolean;
  /** Whether this version has results that others follow. Default `false`. */
  readonly previews?: boolean;
  /** A function without a `strict` of its own is as strict as `strictJsonSchema` says, as V2 functions are. Default `false`. */
  readonly functionsFollowSchema?: boolean;
  /** An effort is asked for with a summary of the reasoning, if the back end's own provider does so. Default `false`. */
  readonly asksForSummary?: boolean;
}

/** What a version writes in its own way; ends of texts only where it says more of them than the others. */
type OwnMappers<Part> = { readonly [T in OwnType]: Mapper<T, CommonPart | Part> } & {
  readonly 'text-end'?: Mapper<'text-end', CommonPart | Part>;
};

/** What one version of the AI SDK writes differently from the others. */
export interface SpecVersion<Part> {
  readonly traits: VersionTraits;
  /** What was not sent, in this version's form. */
  unsupported(what: Unsupported): WarningOf<Part>;
  /** Each version has one of its own: what the engine learns of it in a call speeds up the next. */
  toPart(part: CallPart, context: MetadataContext): CommonPart | Part;
}

interface VersionDescription<Part> extends Pick<SpecVersion<Part>, 'traits' | 'unsupported'> {
  readonly mappers: OwnMappers<Part>;
}

export function describeVersion<Part>({ mappers, ...version }: VersionDescription<Part>): SpecVersion<Part> {
  const table = { ...COMMON_MAPPERS, ...mappers };
  return {
    ...version,
    // TypeScript cannot see that key and mapper of the table belong together.
    toPart: (part, context) => (table[part.type] as Mapper<CallPart['type'], CommonPart | Part>)(part, context),
  };
}

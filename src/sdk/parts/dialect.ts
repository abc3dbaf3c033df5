import type { CallPart } from '../../core/part.js';
import type { MetadataContext } from './metadata.js';
import type { OwnType, PartOf } from './part-of.js';
import type { Unsupported } from '../../core/warning.js';
import type { CommonPart, WarningOf } from './stream-parts.js';
import type { Words } from './words.js';

/** What one version of the AI SDK has parts and defaults for. */
export interface VersionTraits {
  /** Whether a loop tool's parts can be shown by this adapter. */
  readonly shows: 'all' | 'declared';
  /** Whether this adapter has a part that asks the user for leave; if not, who needs leave is denied it. */
  readonly asks: boolean;
  /** Whether this adapter has a part for the server's summary of a long conversation. Default `false`. */
  readonly tellsCompaction?: boolean;
  /** Whether this adapter has results that others follow. Default `false`. */
  readonly previews?: boolean;
  /** A function without a `strict` of its own is as strict as `strictJsonSchema` says, as V2 functions are. Default `false`. */
  readonly functionsFollowSchema?: boolean;
  /** An effort is asked for with a summary of the reasoning, where the back end's own provider does so. Default `false`. */
  readonly asksForSummary?: boolean;
}

/** What one version of the AI SDK says differently from the others. */
export interface Dialect<Version extends string, Part extends { type: string }> {
  readonly version: Version;
  readonly start: VersionTraits;
  /** What was not sent, in this version's form. */
  unsupported(what: Unsupported): WarningOf<Part>;
  /** What it has of its own for each part; ends of texts only where it says more of them than the others. */
  mappers(words: Words): MappersOf<OwnType, Part> & Partial<MappersOf<'text-end', Part>>;
}

type MappersOf<Type extends CallPart['type'], Part> = {
  readonly [T in Type]: (part: PartOf<T>, context: MetadataContext) => CommonPart | Part;
};

import type { CallPart } from '../../core/part.js';
import type { StartOptions } from '../../provider/engine.js';
import type { MetadataContext } from './metadata.js';
import type { OwnType, PartOf } from './part-of.js';
import type { Unsupported } from '../../core/warning.js';
import type { CommonPart, WarningOf } from './stream-parts.js';
import type { Words } from './words.js';

/** What one version of the AI SDK says differently from the others. */
export interface Dialect<Version extends string, Part extends { type: string }> {
  readonly version: Version;
  readonly start: Omit<StartOptions, 'stream'>;
  /** What was not sent, in this version's form. */
  unsupported(what: Unsupported): WarningOf<Part>;
  /** What it has of its own for each part; ends of texts only where it says more of them than the others. */
  mappers(words: Words): MappersOf<OwnType, Part> & Partial<MappersOf<'text-end', Part>>;
}

type MappersOf<Type extends CallPart['type'], Part> = {
  readonly [T in Type]: (part: PartOf<T>, context: MetadataContext) => CommonPart | Part;
};

import type { CallPart } from '../core/part.js';
import type { StartOptions } from './engine.js';
import type { MetadataContext } from './metadata.js';
import type { CommonPart } from './stream-parts.js';

export type PartOf<T extends CallPart['type']> = Extract<CallPart, { type: T }>;

/** The parts that no two versions of the AI SDK spell alike, or that one of them lacks. */
export type OwnType = 'file' | 'tool-result' | 'hosted-result' | 'approval-request' | 'told-item' | 'finish';

/** What one version of the AI SDK says differently from the others. */
export interface Dialect<Version extends string, Part extends { type: string }> {
  readonly version: Version;
  readonly start: Omit<StartOptions, 'stream'>;
  readonly mappers: { readonly [T in OwnType]: (part: PartOf<T>, context: MetadataContext) => CommonPart | Part };
}

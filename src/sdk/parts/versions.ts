import type { SpecVersion } from './to-stream-part.js';
import { type PartV2, V2 } from './v2.js';
import { type PartV3, V3 } from './v3.js';
import { type PartV4, V4 } from './v4.js';

/** The parts that each version of the AI SDK's specification has of its own. */
export interface PartsOf {
  readonly v2: PartV2;
  readonly v3: PartV3;
  readonly v4: PartV4;
}

export type VersionName = keyof PartsOf;

export const VERSIONS: { readonly [V in VersionName]: SpecVersion<PartsOf[V]> } = { v2: V2, v3: V3, v4: V4 };

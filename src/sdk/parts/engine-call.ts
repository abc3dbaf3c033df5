import type { CallPart } from '../../core/part.js';
import type { CallWarning } from '../../core/warning.js';
import type { Pump } from '../../loop/pump.js';
import type { PartSigner } from '../history/part-signer.js';
import type { MetadataContext } from './metadata.js';

/** A call under way, ready for an adapter to translate. */
export interface EngineCall {
  readonly pump: Pump<readonly CallPart[]>;
  readonly warnings: readonly CallWarning[];
  readonly requestBody: unknown;
  readonly responseHeaders: Readonly<Record<string, string>> | undefined;
  readonly metadata: MetadataContext;
  /** With a secret: signs what travels in histories. */
  readonly signer: PartSigner | undefined;
  /** Ends the call early: the consumer went away. */
  cancel(reason?: unknown): void;
}

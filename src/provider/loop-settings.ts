import type { ApprovalSigner } from '../loop/approval-signer.js';
import type { LoopOptions } from '../loop/loop-options.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';

/** What the settings say to every loop. */
export type LoopSettings = Pick<
  LoopOptions,
  'carrier' | 'signer' | 'now' | 'approve' | 'redactToolOutput' | 'onUnknownTool'
>;

/** The same for all calls of a provider. */
export function loopSettings(settings: ResponsesProviderSettings, signer: ApprovalSigner): LoopSettings {
  const { carrier, approve, redactToolOutput, onUnknownTool } = settings;
  return {
    carrier: carrier === 'none' ? false : (carrier ?? 'metadata'),
    signer,
    now: Date.now,
    approve,
    redactToolOutput,
    onUnknownTool,
  };
}

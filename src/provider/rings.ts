import type { CallPlugin } from '../loop/call-plugin.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';

/** Opens the plugin of a call. The setting is asked at once, in the caller's asynchronous context. */
export function pluginOf({ journal }: ResponsesProviderSettings, modelId: string): Promise<CallPlugin> | undefined {
  const asked: unknown = typeof journal === 'function' ? journal() : journal;
  if (asked === undefined) return undefined;
  return import('../journal/call-journal.js').then(({ CallJournal }) => new CallJournal(asked, modelId));
}

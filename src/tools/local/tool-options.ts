import type { FunctionOptions } from '../../core/tool.js';
import { defined } from '../../util/defined.js';
import { asRecord } from '../../util/guards.js';
import type { LocalTool } from './local-tool.js';

/** What else the declaration of a local tool says: its own members, else what an AI SDK tool has for the stock provider. */
export function toolOptions(tool: LocalTool): FunctionOptions {
  // Checked when the provider was created.
  const stock: FunctionOptions = stockOptions(tool);
  return defined({
    deferLoading: tool.deferLoading ?? stock.deferLoading,
    async: tool.async ?? stock.async,
    allowedCallers: tool.allowedCallers ?? stock.allowedCallers,
    namespace: tool.namespace ?? stock.namespace,
    // An AI SDK tool has another `outputSchema` of its own.
    outputSchema: stock.outputSchema,
  });
}

export function stockOptions({
  providerOptions,
}: Pick<LocalTool, 'providerOptions'>): Readonly<Record<string, unknown>> {
  return asRecord(asRecord(providerOptions)?.['openai']) ?? {};
}

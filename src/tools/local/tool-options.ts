import type { FunctionOptions } from '../../core/tool.js';
import { defined } from '../../util/defined.js';
import { asRecord } from '../../util/guards.js';
import type { LocalTool } from './local-tool.js';

/** Options of a local tool: its own members, else those that an AI SDK tool has for `@ai-sdk/openai`. */
export function toolOptions(tool: LocalTool): FunctionOptions {
  // Checked when the provider was created.
  const openAi: FunctionOptions = openAiOptions(tool);
  return defined({
    // Not declared if it is off, because few servers know it.
    deferLoading: (tool.deferLoading ?? openAi.deferLoading) || undefined,
    async: tool.async ?? openAi.async,
    allowedCallers: tool.allowedCallers ?? openAi.allowedCallers,
    namespace: tool.namespace ?? openAi.namespace,
    // An AI SDK tool has another `outputSchema` of its own.
    outputSchema: openAi.outputSchema,
  });
}

export function openAiOptions({
  providerOptions,
}: Pick<LocalTool, 'providerOptions'>): Readonly<Record<string, unknown>> {
  return asRecord(asRecord(providerOptions)?.['openai']) ?? {};
}

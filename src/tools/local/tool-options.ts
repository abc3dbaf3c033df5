import type { FunctionOptions } from '../../core/tool.js';
import { defined } from '../../util/defined.js';
import { asRecord } from '../../util/guards.js';
import type { LocalTool } from './local-tool.js';

/** Returns the options of a local tool: its own, else an AI SDK tool's options for `@ai-sdk/openai`. */
export function toolOptions(tool: LocalTool): FunctionOptions {
  // Checked when the provider was created.
  const openAi: FunctionOptions = openAiOptions(tool);
  return defined({
    // Not declared if it is off, because few servers support it.
    deferLoading: (tool.deferLoading ?? openAi.deferLoading) || undefined,
    async: tool.async ?? openAi.async,
    allowedCallers: tool.allowedCallers ?? openAi.allowedCallers,
    namespace: tool.namespace ?? openAi.namespace,
    // The `outputSchema` of an AI SDK tool has another meaning.
    outputSchema: openAi.outputSchema,
  });
}

export function openAiOptions({
  providerOptions,
}: Pick<LocalTool, 'providerOptions'>): Readonly<Record<string, unknown>> {
  return asRecord(asRecord(providerOptions)?.['openai']) ?? {};
}

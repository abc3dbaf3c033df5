import type { JsonObject } from '../core/json.js';
import type { SystemMessage } from '../core/message.js';
import type { InputAdditionalTools, InputConfigurationUpdate, InputItem } from '../wire/input-item.js';
import type { HostedTool } from '../wire/tool.js';

/** What a system message changes from its place on. The words are the caller's; the server knows which of them it has. */
export function convertControls({
  reasoningEffort,
  textFormat,
  additionalTools = [],
}: Pick<SystemMessage, 'reasoningEffort' | 'textFormat' | 'additionalTools'>): InputItem[] {
  const update = {
    ...(reasoningEffort === undefined ? {} : { reasoning: { effort: reasoningEffort } }),
    ...(textFormat === undefined ? {} : { text: { format: textFormat } }),
  } as Omit<InputConfigurationUpdate, 'type'>;
  return [
    ...(Object.keys(update).length === 0 ? [] : [{ type: 'configuration_update' as const, ...update }]),
    ...convertAdditionalTools(additionalTools),
  ];
}

export function convertAdditionalTools(tools: readonly JsonObject[] = []): InputAdditionalTools[] {
  // Each has a type: that was checked when it was read.
  return tools.length === 0
    ? []
    : [{ type: 'additional_tools', role: 'developer', tools: tools as unknown as HostedTool[] }];
}

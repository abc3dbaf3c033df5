import type { ToolOutput } from '../core/message.js';
import type { Profile } from '../core/profile.js';
import type { ToolOutputContent } from '../wire/input-item.js';
import { convertPart } from './convert-user-content.js';

/** What goes into `function_call_output.output`: a string wherever that says it all. */
export function convertToolOutput(output: ToolOutput, profile: Profile): string | ToolOutputContent[] {
  const needsParts = output.content.some((part) => part.type === 'file' || part.cacheBreakpoint !== undefined);
  if (needsParts && profile.toolOutput === 'multimodal') return output.content.map(convertPart);
  return output.content
    .map((part) =>
      part.type === 'text'
        ? part.text
        : `[${part.filename ?? 'file'}: ${part.mediaType}, not shown: this server takes text only]`,
    )
    .join('\n');
}

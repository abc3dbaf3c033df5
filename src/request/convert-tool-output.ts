import type { JsonObject } from '../core/json.js';
import type { ToolOutput } from '../core/message.js';
import type { Profile } from '../core/profile.js';
import { parseJson } from '../util/parse-json.js';
import type { InputItem, ToolOutputContent } from '../wire/input-item.js';
import { convertAdditionalTools } from './convert-controls.js';
import { convertPart } from './convert-user-content.js';

/** Schemas of results, by the name of the tool. */
export type OutputSchemas = ReadonlyMap<string, JsonObject>;

/** The output of a function call, and what is there from then on. */
export function convertFunctionOutput(
  callId: string,
  output: ToolOutput,
  { profile, outputSchemas }: { readonly profile: Profile; readonly outputSchemas?: OutputSchemas },
  tool?: string,
): InputItem[] {
  const schema = tool === undefined ? undefined : outputSchemas?.get(tool);
  const converted = convertToolOutput(output, profile);
  const asked = schema !== undefined && typeof converted === 'string' ? asJson(converted, schema) : converted;
  return [
    { type: 'function_call_output', call_id: callId, output: asked },
    ...convertAdditionalTools(output.additionalTools),
  ];
}

/** A program reads it: what is no JSON becomes a JSON text, and so does a text that only looks like another value. */
function asJson(text: string, { type }: JsonObject): string {
  const value = parseJson(text);
  const isText = value === undefined || (type === 'string' && typeof value !== 'string');
  return isText ? JSON.stringify(text) : text;
}

/** What goes into `function_call_output.output`: a string wherever that says it all. */
function convertToolOutput(output: ToolOutput, profile: Profile): string | ToolOutputContent[] {
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

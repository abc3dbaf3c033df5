import { isJsonObject, type JsonObject } from '../core/json.js';
import type { CallMembers } from '../core/call-items.js';
import type { ToolOutput } from '../core/message.js';
import type { Profile } from '../core/profile.js';
import { parseJson } from '../util/json.js';
import type { InputCaller, InputItem, ToolOutputContent } from '../wire/input-item.js';
import { convertCallItemOutput } from './convert-call-item.js';
import { convertAdditionalTools } from './convert-controls.js';
import { convertPart } from './convert-user-content.js';

/** Schemas of results, by the name of the tool. */
export type OutputSchemas = ReadonlyMap<string, JsonObject>;

/** What an output has to look like. */
export interface OutputRules {
  readonly profile: Profile;
  readonly outputSchemas?: OutputSchemas;
}

/** What of a call its output hangs on; less is known of one that only the server has. */
export interface AnsweredCall {
  readonly name?: string | undefined;
  readonly item?: JsonObject | undefined;
  readonly members?: CallMembers | undefined;
}

/** The output of any call that the caller or we have answered, and what is there from then on. */
export function convertCallOutput(
  call: AnsweredCall,
  callId: string,
  output: ToolOutput,
  rules: OutputRules,
): InputItem[] {
  const { item } = call;
  if (item === undefined) return convertFunctionOutput(callId, output, rules, call);
  return [{ ...convertCallItemOutput(item, callId, output), ...callerOf(item) }];
}

/** The output of a function call, and what is there from then on. */
function convertFunctionOutput(
  callId: string,
  output: ToolOutput,
  { profile, outputSchemas }: OutputRules,
  { name: tool, members }: AnsweredCall,
): InputItem[] {
  const schema = tool === undefined ? undefined : outputSchemas?.get(tool);
  const converted = convertToolOutput(output, profile);
  const asked = schema !== undefined && typeof converted === 'string' ? asJson(converted, schema) : converted;
  return [
    { type: 'function_call_output', call_id: callId, output: asked, ...callerOf(members) },
    ...convertAdditionalTools(output.additionalTools),
  ];
}

/** Who made the call reads its output, so that it is said there, too; as it came. */
function callerOf(members: CallMembers | undefined): { readonly caller?: InputCaller } {
  const caller = members?.['caller'];
  return isJsonObject(caller) ? { caller: caller as InputCaller } : {};
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

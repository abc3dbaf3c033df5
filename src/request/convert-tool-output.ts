import type { CallMembers } from '../core/call-items.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import type { ToolOutput, ToolResultContent } from '../core/message.js';
import type { Profile } from '../core/profile.js';
import { callKind } from '../items/kinds.js';
import { textOf } from '../items/members.js';
import { asString } from '../util/guards.js';
import { parseJson } from '../util/json.js';
import type { InputCaller, InputContent, InputItem } from '../wire/input-item.js';
import { convertAdditionalTools, convertPart } from './convert-content.js';

/** Schemas of results, by the name of the tool. */
export type OutputSchemas = ReadonlyMap<string, JsonObject>;

/** The required form of an output. */
export interface OutputRules {
  readonly profile: Profile;
  readonly outputSchemas?: OutputSchemas;
}

/** The members of a call that its output depends on. Fewer are known if only the server has the call. */
export type CallOfOutput = Pick<ToolResultContent, 'name' | 'item' | 'members'>;

/** Returns the output of any call that the client or this package answered, and the tools that come with it. */
export function convertCallOutput(
  { item, name, members }: CallOfOutput,
  callId: string,
  output: ToolOutput,
  { profile, outputSchemas }: OutputRules,
): InputItem[] {
  if (item !== undefined) return [{ ...convertCallItemOutput(item, callId, output, profile), ...callerOf(item) }];
  const schema = name === undefined ? undefined : outputSchemas?.get(name);
  const converted = convertToolOutput(output, profile);
  const asked = schema !== undefined && typeof converted === 'string' ? asJson(converted, schema) : converted;
  return [
    { type: 'function_call_output', call_id: callId, output: asked, ...callerOf(members) },
    ...convertAdditionalTools(output.additionalTools),
  ];
}

/** Returns the caller of a call, which the output repeats because the caller reads it. */
function callerOf(members: CallMembers | undefined): { readonly caller?: InputCaller } {
  const caller = members?.['caller'];
  return caller !== undefined && isJsonObject(caller) ? { caller: caller as InputCaller } : {};
}

/** Returns the text as JSON of the schema's type, because a program reads it. */
function asJson(text: string, { type }: JsonObject): string {
  const value = parseJson(text);
  const isText = value === undefined || (type === 'string' && typeof value !== 'string');
  return isText ? JSON.stringify(text) : text;
}

/** Returns `function_call_output.output`: a string unless it has files or cache marks. */
function convertToolOutput(output: ToolOutput, profile: Profile): string | InputContent[] {
  const texts: string[] = [];
  for (const part of output.content) {
    const needsParts = part.type === 'file' || part.cacheBreakpoint !== undefined;
    if (needsParts && profile.toolOutput === 'multimodal') return output.content.map(convertPart);
    const isText = part.type === 'text';
    texts.push(
      isText ? part.text : `[${part.filename ?? 'file'}: ${part.mediaType}, not shown: this server takes text only]`,
    );
  }
  return texts.join('\n');
}

/** Writes the output by the kind of its call. The result of the tool never sets the type of the item. */
export function convertCallItemOutput(
  item: JsonObject,
  wireId: string,
  output: ToolOutput,
  profile: Profile,
): InputItem {
  const kind = callKind(asString(item['type']) ?? '')?.output;
  if (kind?.write === undefined) return { type: 'function_call_output', call_id: wireId, output: textOf(output) };
  // An item's members are JSON in any case.
  const content = convertToolOutput(output, profile) as JsonValue;
  // The kind defines the type.
  return { type: kind.type, call_id: wireId, ...kind.write(output, content) } as unknown as InputItem;
}

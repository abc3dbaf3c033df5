import type { CallMembers } from '../core/call-items.js';
import { isJsonObject, type JsonObject, toSnakeCase } from '../core/json.js';
import type { FileContent, ToolOutput, ToolResultContent } from '../core/message.js';
import type { Profile } from '../core/profile.js';
import { defined } from '../util/defined.js';
import { asArray, asRecord, asString, rowOf } from '../util/guards.js';
import { parseJson } from '../util/json.js';
import type {
  InputCaller,
  InputCallItemOutput,
  InputCustomToolCallOutput,
  InputItem,
  InputToolSearchOutput,
  InputContent,
} from '../wire/input-item.js';
import type { HostedTool } from '../wire/tool.js';
import { convertAdditionalTools, convertPart } from './convert-content.js';

/** Schemas of results, by the name of the tool. */
export type OutputSchemas = ReadonlyMap<string, JsonObject>;

/** What an output has to look like. */
export interface OutputRules {
  readonly profile: Profile;
  readonly outputSchemas?: OutputSchemas;
}

/** What of a call its output hangs on; less is known of one that only the server has. */
export type CallOfOutput = Pick<ToolResultContent, 'name' | 'item' | 'members'>;

/** The output of any call that the caller or we have answered, and what is there from then on. */
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

/** Who made the call reads its output, so that it is said there, too; as it came. */
function callerOf(members: CallMembers | undefined): { readonly caller?: InputCaller } {
  const caller = members?.['caller'];
  return caller !== undefined && isJsonObject(caller) ? { caller: caller as InputCaller } : {};
}

/** A program reads it: what is no JSON becomes a JSON text, and so does a text that only looks like another value. */
function asJson(text: string, { type }: JsonObject): string {
  const value = parseJson(text);
  const isText = value === undefined || (type === 'string' && typeof value !== 'string');
  return isText ? JSON.stringify(text) : text;
}

/** What goes into `function_call_output.output`: a string wherever that says it all. */
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

type CallOutput = InputCallItemOutput | InputCustomToolCallOutput | InputToolSearchOutput;

/**
 * The outputs of calls that are no function calls, by the type of the call's item. The caller's tool returns the
 * `output` the API describes, as JSON; plain text is put where the API has a place for text. What it returned fills only
 * these places: it never says what kind of item this is.
 */
const OUTPUTS: Readonly<Record<string, (callId: string, output: ToolOutput, profile: Profile) => CallOutput>> = {
  custom_tool_call: (callId, output, profile) => ({
    type: 'custom_tool_call_output',
    call_id: callId,
    output: convertToolOutput(output, profile),
  }),
  local_shell_call: (callId, output) => ({
    type: 'local_shell_call_output',
    call_id: callId,
    output: objectOf(textOf(output))['output'] ?? textOf(output),
  }),
  shell_call: (callId, output) => ({ type: 'shell_call_output', call_id: callId, ...shellResult(output) }),
  apply_patch_call: (callId, output) => ({
    type: 'apply_patch_call_output',
    call_id: callId,
    ...patchResult(output),
  }),
  computer_call: (callId, output) => ({ type: 'computer_call_output', call_id: callId, ...computerResult(output) }),
  tool_search_call: (callId, output) => ({
    type: 'tool_search_output',
    call_id: callId,
    execution: 'client',
    status: 'completed',
    // The caller found tools of its own: what the server would run, only the settings of a call may declare.
    tools: asArray(objectOf(textOf(output))['tools']).filter(isClients),
  }),
};

export function convertCallItemOutput(
  item: JsonObject,
  wireId: string,
  output: ToolOutput,
  profile: Profile,
): InputItem {
  const type = asString(item['type']) ?? '';
  const convert = rowOf(OUTPUTS, type);
  return (
    convert?.(wireId, output, profile) ?? { type: 'function_call_output', call_id: wireId, output: textOf(output) }
  );
}

/** `{status, output}` where the tool returned that, else its text. */
function patchResult(output: ToolOutput): Pick<InputCallItemOutput, 'status' | 'output'> {
  const text = textOf(output);
  const returned = objectOf(text, { output: text });
  return {
    status: asString(returned['status']) ?? (output.isError ? 'failed' : 'completed'),
    ...defined({ output: returned['output'] }),
  };
}

function textOf(output: ToolOutput): string {
  return output.content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n');
}

/** What the caller returned. It writes the names of the AI SDK's tool; the API's own are taken too. */
function returnedBy(output: ToolOutput): JsonObject {
  // An object stays one.
  return toSnakeCase(objectOf(textOf(output))) as JsonObject;
}

function shellResult(output: ToolOutput): Pick<InputCallItemOutput, 'output' | 'max_output_length'> {
  const { output: returned, max_output_length } = returnedBy(output);
  if (returned === undefined || returned === null)
    return { output: [{ stdout: textOf(output), stderr: '', outcome: { type: 'exit', exit_code: 0 } }] };
  return { output: returned, ...(typeof max_output_length === 'number' ? { max_output_length } : {}) };
}

/** A screenshot: a picture among the contents, or `{output, acknowledgedSafetyChecks}`, or the `output` alone. */
function computerResult(output: ToolOutput): Pick<InputCallItemOutput, 'output' | 'acknowledged_safety_checks'> {
  const image = output.content.find((part) => part.type === 'file');
  if (image?.type === 'file') return { output: { type: 'computer_screenshot', ...placeOf(image) } };
  const { output: inner, acknowledged_safety_checks: checks, ...rest } = returnedBy(output);
  return {
    output: { type: 'computer_screenshot', ...(isJsonObject(inner) ? inner : rest) },
    ...(Array.isArray(checks) ? { acknowledged_safety_checks: checks } : {}),
  };
}

function placeOf({ source, mediaType, detail }: FileContent): JsonObject {
  const seen = defined({ detail });
  if (source.type === 'id') return { file_id: source.id, ...seen };
  return { image_url: source.type === 'url' ? source.url : `data:${mediaType};base64,${source.base64}`, ...seen };
}

function objectOf(text: string, fallback: JsonObject = {}): JsonObject {
  // It came out of JSON.parse, so it is JSON.
  return (asRecord(parseJson(text)) as JsonObject | undefined) ?? fallback;
}

const CLIENT_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom', 'namespace']);

/** Only the client runs it. A namespace may hold tools, at any depth: what the server runs stays out of all of them. */
export function isClients(tool: unknown): tool is HostedTool {
  const { type, tools } = asRecord(tool) ?? {};
  return CLIENT_TOOLS.has(type) && asArray(tools).every(isClients);
}

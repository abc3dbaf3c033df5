import { isJsonObject, type JsonObject, type JsonValue, toSnakeCase } from '../core/json.js';
import type { FileContent, ToolOutput } from '../core/message.js';
import type {
  InputCallItemOutput,
  InputCustomToolCallOutput,
  InputItem,
  InputToolSearchOutput,
} from '../wire/input-item.js';
import { asArray, asRecord, asString, rowOf } from '../util/guards.js';
import { defined } from '../util/defined.js';
import { parseJson } from '../util/json.js';
import { isClients } from './found-tools.js';

type CallOutput = InputCallItemOutput | InputCustomToolCallOutput | InputToolSearchOutput;

/**
 * The outputs of calls that are no function calls, by the type of the call's item. The caller's tool returns the
 * `output` the API describes, as JSON; plain text is put where the API has a place for text. What it returned fills only
 * these places: it never says what kind of item this is.
 */
const OUTPUTS: Readonly<Record<string, (callId: string, output: ToolOutput) => CallOutput>> = {
  custom_tool_call: (callId, output) => ({ type: 'custom_tool_call_output', call_id: callId, output: textOf(output) }),
  local_shell_call: (callId, output) => ({
    type: 'local_shell_call_output',
    call_id: callId,
    output: returnedOutput(output) ?? textOf(output),
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
    tools: asArray(objectOf(textOf(output), {})['tools']).filter(isClients),
  }),
};

export function convertCallItemOutput(item: JsonObject, wireId: string, output: ToolOutput): InputItem {
  const type = asString(item['type']) ?? '';
  const convert = rowOf(OUTPUTS, type);
  return convert?.(wireId, output) ?? { type: 'function_call_output', call_id: wireId, output: textOf(output) };
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

/** What the caller returned as `{output: …}`. */
function returnedOutput(output: ToolOutput): JsonValue | undefined {
  return objectOf(textOf(output), {})['output'] ?? undefined;
}

/** The caller writes the names of the AI SDK's tool; the API's own are taken too. */
function inSnakeCase(value: JsonValue): JsonObject {
  const written = toSnakeCase(value);
  return isJsonObject(written) ? written : {};
}

function shellResult(output: ToolOutput): Pick<InputCallItemOutput, 'output' | 'max_output_length'> {
  const text = textOf(output);
  const { output: returned, max_output_length } = inSnakeCase(objectOf(text, {}));
  if (returned === undefined || returned === null)
    return { output: [{ stdout: text, stderr: '', outcome: { type: 'exit', exit_code: 0 } }] };
  return { output: returned, ...(typeof max_output_length === 'number' ? { max_output_length } : {}) };
}

/** A screenshot: a picture among the contents, or `{output, acknowledgedSafetyChecks}`, or the `output` alone. */
function computerResult(output: ToolOutput): Pick<InputCallItemOutput, 'output' | 'acknowledged_safety_checks'> {
  const image = output.content.find((part) => part.type === 'file');
  if (image?.type === 'file') return { output: { type: 'computer_screenshot', ...placeOf(image) } };
  const { output: inner, acknowledged_safety_checks: checks, ...rest } = inSnakeCase(objectOf(textOf(output), {}));
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

function objectOf(text: string, fallback: JsonObject): JsonObject {
  // It came out of JSON.parse, so it is JSON.
  return (asRecord(parseJson(text)) as JsonObject | undefined) ?? fallback;
}

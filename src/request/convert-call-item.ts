import type { JsonObject } from '../core/json.js';
import type { ToolOutput } from '../core/message.js';
import type { InputItem } from '../wire/input-item.js';
import { verbatim } from './verbatim.js';
import { asRecord } from '../util/guards.js';
import { parseJson } from '../util/parse-json.js';

/**
 * The outputs of calls that are no function calls, by the type of the call's item. The caller's tool returns the
 * `output` the API describes, as JSON; plain text is put where the API has a place for text.
 */
const OUTPUTS: Readonly<Record<string, (callId: string, output: ToolOutput) => JsonObject>> = {
  custom_tool_call: (callId, output) => ({ type: 'custom_tool_call_output', call_id: callId, output: textOf(output) }),
  local_shell_call: (callId, output) => ({
    type: 'local_shell_call_output',
    call_id: callId,
    output: outputField(output, asText),
  }),
  shell_call: (callId, output) => ({
    type: 'shell_call_output',
    call_id: callId,
    output: outputField(output, asShellOutput),
  }),
  apply_patch_call: (callId, output) => ({
    type: 'apply_patch_call_output',
    call_id: callId,
    status: output.isError ? 'failed' : 'completed',
    ...objectOf(textOf(output), { output: textOf(output) }),
  }),
  computer_call: (callId, output) => ({ type: 'computer_call_output', call_id: callId, output: screenshotOf(output) }),
};

/** A call's item, sent back under the id its output will bear. */
export function convertCallItem(item: JsonObject, wireId: string): InputItem {
  const { id: _id, ...rest } = item;
  return verbatim({ ...rest, call_id: wireId });
}

export function convertCallItemOutput(item: JsonObject, wireId: string, output: ToolOutput): InputItem {
  const convert = typeof item['type'] === 'string' ? OUTPUTS[item['type']] : undefined;
  return verbatim(
    convert === undefined
      ? { type: 'function_call_output', call_id: wireId, output: textOf(output) }
      : convert(wireId, output),
  );
}

function textOf(output: ToolOutput): string {
  return output.content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n');
}

/** What the caller returned as `{output: …}`, else all of it. */
function outputField(output: ToolOutput, fallback: (text: string) => JsonObject[string]): JsonObject[string] {
  const text = textOf(output);
  const returned = objectOf(text, {})['output'];
  return returned ?? fallback(text);
}

function asText(text: string): string {
  return text;
}

function asShellOutput(text: string): JsonObject[string] {
  return [{ stdout: text, stderr: '', outcome: { type: 'exit', exit_code: 0 } }];
}

function screenshotOf(output: ToolOutput): JsonObject {
  const image = output.content.find((part) => part.type === 'file');
  if (image?.type !== 'file') return objectOf(textOf(output), { type: 'computer_screenshot' });
  const { source, mediaType } = image;
  if (source.type === 'id') return { type: 'computer_screenshot', file_id: source.id };
  return {
    type: 'computer_screenshot',
    image_url: source.type === 'url' ? source.url : `data:${mediaType};base64,${source.base64}`,
  };
}

function objectOf(text: string, fallback: JsonObject): JsonObject {
  // It came out of JSON.parse, so it is JSON.
  return (asRecord(parseJson(text)) as JsonObject | undefined) ?? fallback;
}

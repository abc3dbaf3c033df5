import type { JsonObject, JsonValue } from '../../../src/core/json.js';
import type { AnyPart } from './any-version.js';

interface Shown extends JsonObject {
  readonly type: string;
}

/** Parts or content of one answer as the messages that the SDK makes of them: the caller answers what is left to it. */
export function asMessages(parts: readonly AnyPart[]): object[] {
  const content = joined(parts).flatMap(toPart);
  const outputs = leftToCaller(content).map(({ toolCallId, toolName, providerOptions }) => ({
    type: 'tool-result',
    toolCallId,
    toolName,
    output: { type: 'text', value: 'done' },
    ...(providerOptions === undefined ? {} : { providerOptions }),
  }));
  return [
    ...(content.length === 0 ? [] : [{ role: 'assistant', content }]),
    ...(outputs.length === 0 ? [] : [{ role: 'tool', content: outputs }]),
  ];
}

/** Calls that nobody has answered yet. */
export function leftToCaller<P extends Shown>(parts: readonly P[]): P[] {
  const results = new Set(parts.filter(({ type }) => type === 'tool-result').map(({ toolCallId }) => toolCallId));
  return parts.filter(
    ({ type, toolCallId, providerExecuted }) =>
      type === 'tool-call' && providerExecuted !== true && !results.has(toolCallId),
  );
}

export function outputsIn(input: readonly JsonObject[]): number {
  return input.filter(({ type }) => OUTPUTS.has(shown(type))).length;
}

/** Streamed texts and thoughts put together. */
function joined(parts: readonly AnyPart[]): AnyPart[] {
  const texts = new Map<unknown, string>();
  return parts.flatMap((part) => {
    const [kind = '', step] = part.type.split(/-(?=start$|delta$|end$)/);
    if (kind !== 'text' && kind !== 'reasoning') return [part];
    if (step === undefined) return [part];
    if (step === 'start') texts.set(part['id'], '');
    if (step === 'delta') texts.set(part['id'], `${texts.get(part['id']) ?? ''}${shown(part['delta'])}`);
    return step === 'end' ? [{ ...part, type: kind, text: texts.get(part['id']) ?? '' }] : [];
  });
}

const TOLD = ['text', 'reasoning', 'tool-call', 'tool-result', 'custom'];

function toPart(part: AnyPart): Shown[] {
  if (!TOLD.includes(part.type) || part['preliminary'] === true) return [];
  const { type, providerMetadata, input, result, isError, id: _id, ...rest } = part;
  const base = { ...rest, type, ...(providerMetadata === undefined ? {} : { providerOptions: providerMetadata }) };
  if (type === 'tool-call') return [{ ...base, input: JSON.parse(shown(input)) as JsonObject }];
  if (type !== 'tool-result') return [base];
  return [{ ...base, output: { type: isError === true ? 'error-json' : 'json', value: result ?? null } }];
}

/** A text as it is, and any other value as JSON. */
export function shown(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Which outputs answer which calls; the API refuses a request where one is without the other. */
const OUTPUT_OF: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
  local_shell_call: 'local_shell_call_output',
  shell_call: 'shell_call_output',
  apply_patch_call: 'apply_patch_call_output',
  computer_call: 'computer_call_output',
  tool_search_call: 'tool_search_output',
  program: 'program_output',
};
const OUTPUTS = new Map(Object.entries(OUTPUT_OF).map(([call, output]) => [output, call]));

/** What the server runs needs no output. */
function isServers({ type, environment, execution }: JsonObject): boolean {
  if (type === 'program') return true;
  if (type === 'tool_search_call') return execution !== 'client';
  const where = (environment as JsonObject | null | undefined)?.['type'] ?? 'local';
  return type === 'shell_call' && where !== 'local';
}

/** What is wrong with the calls and outputs of an input. */
export function brokenPairs(input: readonly JsonObject[]): string[] {
  const open = new Map<string, { outputs: number; readonly exempt: boolean }>();
  const wrong: string[] = [];
  for (const item of input) {
    const type = shown(item['type']);
    const call = OUTPUTS.get(type);
    if (type in OUTPUT_OF) {
      const exempt = isServers(item);
      const key = `${type} ${shown(item['call_id'] ?? '')}`;
      if (!exempt && typeof item['call_id'] !== 'string') wrong.push(`${type} without a call id`);
      if (!exempt && open.has(key)) wrong.push(`${key} twice`);
      open.set(key, { outputs: 0, exempt });
    } else if (call !== undefined) {
      const answered = open.get(`${call} ${shown(item['call_id'] ?? '')}`);
      if (answered === undefined) wrong.push(`${type} ${shown(item['call_id'])} without its call`);
      else if (++answered.outputs > 1) wrong.push(`${type} ${shown(item['call_id'])} twice`);
    }
  }
  for (const [key, { outputs, exempt }] of open) if (outputs === 0 && !exempt) wrong.push(`${key} without its output`);
  return wrong;
}

/** What is wrong with the calls and results of an answer. */
export function brokenCalls(parts: readonly AnyPart[]): string[] {
  const calls = new Map<JsonValue | undefined, JsonValue | undefined>();
  const finals = new Set<unknown>();
  const wrong: string[] = [];
  for (const { type, toolCallId, toolName, preliminary, id } of parts) {
    if (type === 'tool-call') {
      if (calls.has(toolCallId)) wrong.push(`call ${shown(toolCallId)} twice`);
      if (toolName === '' || shown(toolName).endsWith('.')) wrong.push(`call ${shown(toolCallId)} without a name`);
      calls.set(toolCallId, toolName);
    }
    if (type === 'tool-input-start' && calls.has(id)) wrong.push(`input of ${shown(id)} behind its call`);
    if (type !== 'tool-result' || preliminary === true) continue;
    if (finals.has(toolCallId)) wrong.push(`result of ${shown(toolCallId)} twice`);
    if (calls.has(toolCallId) && calls.get(toolCallId) !== toolName)
      wrong.push(`${shown(toolCallId)} is two tools: ${shown(calls.get(toolCallId))} and ${shown(toolName)}`);
    finals.add(toolCallId);
  }
  return wrong;
}

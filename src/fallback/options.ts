import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { RoundRequest } from '../core/round.js';
import type { ToolChoice, ToolDeclaration } from '../core/tool.js';
import { defined } from '../util/defined.js';
import { asArray, asRecord, asRecords, asString, isRecord } from '../util/guards.js';
import type { AnyCallOptions } from '../sdk/prompt/from-call-options.js';
import { isStub } from '../sdk/prompt/from-tools.js';

export interface StockOptionsInput {
  /** The request that the primary would send. */
  readonly body: JsonObject;
  readonly request: RoundRequest;
  readonly call: Call;
  /** The unchanged options of the AI SDK. */
  readonly given: AnyCallOptions;
  readonly prompt: readonly unknown[];
  /** Names under which the stock provider reads its options. */
  readonly names: readonly string[];
}

/** Returns the caller's options with the loop's tools and choices, so that the stock provider sends the primary's request. */
export function toStockOptions(input: StockOptionsInput): object {
  const { request, call, given, prompt } = input;
  const tools = toolsOf(input);
  const choice: ToolChoice = request.closing ? { type: 'none' } : request.toolChoice;
  const toolChoice = choice.type === 'tool' ? { type: 'tool', toolName: choice.name } : choice;
  return {
    ...given,
    prompt,
    ...(tools.length === 0 ? { tools: undefined, toolChoice: undefined } : { tools, toolChoice }),
    providerOptions: providerOptionsOf(input),
    // Raw chunks have whole items, which the stock model's own parts have not.
    includeRawChunks: call.stream,
  };
}

/** Returns the tools of the body, from which those are gone that the server refused. */
function toolsOf({ body, request, call, given }: StockOptionsInput): unknown[] {
  const sent = asArray(body['tools']).filter(isRecord);
  const functions = new Set(sent.flatMap(functionsIn));
  const callers = (given.tools ?? []).filter(isRecord);
  const byName = new Map(
    callers.flatMap((tool) => (tool['type'] === 'function' && !isStub(tool) ? [[tool['name'], tool] as const] : [])),
  );
  const hosted = callers.filter((tool) => tool['type'] !== 'function');
  const isHosted = (tool: Record<string, unknown>): boolean => functionsIn(tool).length === 0;
  return [
    ...request.tools
      .filter(({ name }) => functions.has(name))
      // If two tools have one name (`nameClash: 'loop'`), the loop's tool is sent.
      .map((tool) => toFunctionTool(tool, call.clientTools.includes(tool) ? byName.get(tool.name) : undefined)),
    ...(sent.some(isHosted) ? hosted : []),
  ];
}

/** Returns the names of a tool's functions. A namespace has several. */
function functionsIn(tool: Record<string, unknown>): unknown[] {
  if (tool['type'] === 'namespace') return asRecords(tool['tools']).flatMap(functionsIn);
  return tool['type'] === 'function' ? [tool['name']] : [];
}

/** Returns a function tool. It always has `strict`, because servers may default to it. */
function toFunctionTool(
  { name, description, inputSchema, strict }: ToolDeclaration,
  given: object | undefined,
): object {
  return {
    ...(given ?? { type: 'function', name, ...defined({ description }), inputSchema }),
    strict: strict ?? false,
  };
}

/** Returns the provider options. Those under our own name mean the same to the stock provider if it knows them. */
function providerOptionsOf({ body, call, given, names }: StockOptionsInput): object {
  const options = asRecord(given.providerOptions) ?? {};
  const { store, previous_response_id: previousResponseId, reasoning, temperature, top_p: topP } = body;
  const isTriggered = asRecord(asArray(body['input']).at(-1))?.['type'] === 'compaction_trigger';
  const defaults = {
    strictJsonSchema: false,
    // The stock provider guesses from the name whether a model reasons, and drops options that it thinks useless.
    ...(reasoning !== undefined && temperature === undefined && topP === undefined && { forceReasoning: true }),
  };
  const said = {
    // Older stock providers do not read the effort from the option of `ai` 7.
    ...defined({ store, previousResponseId, reasoningEffort: asString(asRecord(reasoning)?.['effort']) }),
    include: includeOf(body, call),
    // `'auto'` is our own value.
    promptCacheKey: asString(body['prompt_cache_key']),
    ...(call.options['compactionTrigger'] !== undefined && { compactionTrigger: isTriggered }),
  };
  const of = (name: string) => ({ ...defaults, ...asRecord(options[name]), ...call.options, ...said });
  return { ...options, ...Object.fromEntries(names.map((name) => [name, of(name)])) };
}

const SEALED = 'reasoning.encrypted_content';

/** Returns the entries that the caller requested, and sealed reasoning. The stock provider adds the others itself. */
function includeOf(body: JsonObject, call: Call): readonly unknown[] | undefined {
  const sent = asArray(body['include']);
  const asked = new Set(asArray(call.options['include']));
  const include = sent.filter((entry) => entry === SEALED || asked.has(entry as string));
  return include.length === 0 ? undefined : include;
}

import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { RoundRequest } from '../core/round.js';
import type { ToolChoice, ToolDeclaration } from '../core/tool.js';
import { defined } from '../util/defined.js';
import { asArray, asRecord, asRecords, asString, isRecord } from '../util/guards.js';
import type { AnyCallOptions } from '../sdk/prompt/from-call-options.js';
import { isStub } from '../sdk/prompt/from-tools.js';

export interface StockOptionsInput {
  /** What we would send ourselves. */
  readonly body: JsonObject;
  readonly request: RoundRequest;
  readonly call: Call;
  /** As the AI SDK gave them. */
  readonly given: AnyCallOptions;
  readonly prompt: readonly unknown[];
  /** Under which names the stock provider looks for its options. */
  readonly names: readonly string[];
}

/** Call options that make the stock provider send what we would send: those of the call, with the loop's say in them. */
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
    // They hold items whole, which the stock provider's own parts do not.
    includeRawChunks: call.stream,
  };
}

/** The tools that stand in the body: what a server has refused does not. */
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
      // Under a name that two have (`nameClash: 'loop'`) the loop's tool goes out, not the caller's.
      .map((tool) => toFunctionTool(tool, call.clientTools.includes(tool) ? byName.get(tool.name) : undefined)),
    ...(sent.some(isHosted) ? hosted : []),
  ];
}

/** A namespace holds several. */
function functionsIn(tool: Record<string, unknown>): unknown[] {
  if (tool['type'] === 'namespace') return asRecords(tool['tools']).flatMap(functionsIn);
  return tool['type'] === 'function' ? [tool['name']] : [];
}

/** `strict` is always sent: without it a server may take a schema as strict. */
function toFunctionTool(
  { name, description, inputSchema, strict }: ToolDeclaration,
  given: object | undefined,
): object {
  return {
    ...(given ?? { type: 'function', name, ...defined({ description }), inputSchema }),
    strict: strict ?? false,
  };
}

/** What stands under our own name means the same to the stock provider, where it knows it. */
function providerOptionsOf({ body, call, given, names }: StockOptionsInput): object {
  const options = asRecord(given.providerOptions) ?? {};
  const { store, previous_response_id: previousResponseId, reasoning, temperature, top_p: topP } = body;
  const isTriggered = asRecord(asArray(body['input']).at(-1))?.['type'] === 'compaction_trigger';
  const defaults = {
    strictJsonSchema: false,
    // The stock provider guesses from the name whether a model reasons, and drops what it holds to be useless.
    ...(reasoning !== undefined && temperature === undefined && topP === undefined && { forceReasoning: true }),
  };
  const said = {
    // Older ones do not know the option of `ai` 7 that the effort may come from.
    ...defined({ store, previousResponseId, reasoningEffort: asString(asRecord(reasoning)?.['effort']) }),
    include: includeOf(body, call),
    ...(call.options['compactionTrigger'] !== undefined && { compactionTrigger: isTriggered }),
  };
  const of = (name: string) => ({ ...defaults, ...asRecord(options[name]), ...call.options, ...said });
  return { ...options, ...Object.fromEntries(names.map((name) => [name, of(name)])) };
}

const SEALED = 'reasoning.encrypted_content';

/** What the caller asks for, and sealed reasoning; the rest the stock provider asks for by itself. */
function includeOf(body: JsonObject, call: Call): readonly unknown[] | undefined {
  const sent = asArray(body['include']);
  const asked = new Set(asArray(call.options['include']));
  const include = sent.filter((entry) => entry === SEALED || asked.has(entry as string));
  return include.length === 0 ? undefined : include;
}

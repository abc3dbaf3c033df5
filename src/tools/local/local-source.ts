import type { JsonObject } from '../../core/json.js';
import { errorOutput, type ToolOutput } from '../../core/message.js';
import type { ToolArguments } from '../../core/tool.js';
import { errorText } from '../../util/error-text.js';
import type { ExecuteOptions, SourceTool, ToolSource } from '../tool-source.js';
import { mapReturnValue } from './map-return-value.js';
import type { LocalTool } from './local-tool.js';
import { resolveInputSchema, type ResolvedSchema, type ResolveSchema } from './resolve-schema.js';
import { validateArguments } from './validate-arguments.js';
import { defined } from '../../util/defined.js';

const LOCAL_SOURCE_KEY = 'local';

interface ReadyTool {
  readonly tool: LocalTool;
  readonly listed: SourceTool;
  readonly validate: ResolvedSchema['validate'];
}

/** Functions of this process as a tool source. Schemas are resolved once, at the first listing. */
export function createLocalSource(
  tools: Readonly<Record<string, LocalTool>>,
  resolveSchema?: ResolveSchema,
): ToolSource {
  const entries = Object.entries(tools);
  const warnings: string[] = [];
  let ready: Promise<{ byName: ReadonlyMap<string, ReadyTool>; list: readonly SourceTool[] }> | undefined;

  const prepare = async (): Promise<{ byName: ReadonlyMap<string, ReadyTool>; list: readonly SourceTool[] }> => {
    const settled = await Promise.all(entries.map(([name, tool]) => prepareTool(name, tool, resolveSchema)));
    const usable = settled.filter((result) => typeof result !== 'string');
    warnings.push(...settled.filter((result) => typeof result === 'string'));
    return { byName: new Map(usable.map((one) => [one.listed.name, one])), list: usable.map((one) => one.listed) };
  };
  const getReady = (): ReturnType<typeof prepare> => (ready ??= prepare());

  return {
    key: LOCAL_SOURCE_KEY,
    kind: 'local',
    list: async () => (await getReady()).list,
    execute: async (name, args, options) => {
      const found = (await getReady()).byName.get(name);
      return found === undefined ? errorOutput(`There is no local tool named "${name}".`) : run(found, args, options);
    },
    takeWarnings: () => warnings.splice(0),
    close: async () => {},
  };
}

/** The prepared tool, or a sentence that says why it is left out. */
async function prepareTool(
  name: string,
  tool: LocalTool,
  resolve: ResolveSchema | undefined,
): Promise<ReadyTool | string> {
  try {
    const { jsonSchema, validate } = await resolveInputSchema(tool.inputSchema, resolve);
    return { tool, validate, listed: describe(name, tool, jsonSchema) };
  } catch (error) {
    return `The local tool "${name}" is left out: ${errorText(error)}.`;
  }
}

function describe(name: string, tool: LocalTool, jsonSchema: unknown): SourceTool {
  return {
    name,
    // Not looked at yet: what is no object is dropped when the offer is made, with a reason.
    inputSchema: (jsonSchema ?? {}) as JsonObject,
    readOnly: tool.readOnly === true,
    ...defined({ title: tool.title, description: tool.description, timeoutMs: tool.timeoutMs, strict: tool.strict }),
  };
}

async function run(ready: ReadyTool, args: ToolArguments, options: ExecuteOptions): Promise<ToolOutput> {
  const checked = await validateArguments(args, ready.validate);
  if (!checked.ok) return errorOutput(checked.message);
  // Without a validator these are the arguments as parsed; with one they are what its schema made of them.
  const input = checked.value as Readonly<Record<string, unknown>>;
  const returned = ready.tool.execute?.(input, {
    toolCallId: options.callId,
    abortSignal: options.signal,
    messages: [],
  });
  return mapReturnValue(isAsyncIterable(returned) ? await lastValue(returned, options) : await returned);
}

/** AI SDK tools may yield preliminary results: each is a sign of life, the last one is the result. */
async function lastValue(values: AsyncIterable<unknown>, options: ExecuteOptions): Promise<unknown> {
  let last: unknown;
  let count = 0;
  for await (const value of values) {
    if (options.signal.aborted) break;
    last = value;
    count += 1;
    options.onProgress?.({ progress: count });
  }
  return last;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

import type { JsonObject } from '../../core/json.js';
import { errorOutput, type ToolOutput } from '../../core/message.js';
import type { ToolArguments } from '../../core/tool.js';
import { defined } from '../../util/defined.js';
import { abortError } from '../../util/abort.js';
import { errorText } from '../../util/error-text.js';
import { lazy } from '../../util/lazy.js';
import { LOCAL_SOURCE_KEY, type ExecuteOptions, type SourceTool, type ToolSource } from '../tool-source.js';
import { callToModelOutput, type EndedCall } from './map-model-output.js';
import type { LocalTool } from './local-tool.js';
import { mapReturnValue, readResult } from './map-return-value.js';
import { resolveInputSchema, type ResolvedSchema, type ResolveSchema } from './resolve-schema.js';
import { toolOptions } from './tool-options.js';
import { jsonSchemaCheck, validateArguments } from './validate-arguments.js';

interface ReadyTool {
  readonly tool: LocalTool;
  readonly listed: SourceTool;
  readonly validate: ResolvedSchema['validate'];
  readonly warn: (sentence: string) => void;
}

/**
 * Functions of this process as a tool source. Schemas are resolved once, at the first listing. Arguments of tools whose
 * schema is plain JSON get a lenient check of our own.
 */
export function createLocalSource(
  tools: Readonly<Record<string, LocalTool>>,
  resolveSchema?: ResolveSchema,
): ToolSource {
  const warnings = new Set<string>();
  const warn = (sentence: string): void => void warnings.add(sentence);

  const prepare = async ([name, tool]: readonly [string, LocalTool]): Promise<ReadyTool | undefined> => {
    try {
      const resolved = await resolveInputSchema(tool.inputSchema, resolveSchema);
      const validate = resolved.validate ?? jsonSchemaCheck(resolved.jsonSchema);
      return { tool, validate, listed: describe(name, tool, { ...resolved, validate }), warn };
    } catch (error) {
      warn(`The local tool "${name}" is left out: ${errorText(error)}.`);
      return undefined;
    }
  };
  const ready = lazy(async () => {
    const prepared = await Promise.all(Object.entries(tools).map(prepare));
    const usable = prepared.filter((one) => one !== undefined);
    return { byName: new Map(usable.map((one) => [one.listed.name, one])), list: usable.map((one) => one.listed) };
  });

  return {
    key: LOCAL_SOURCE_KEY,
    kind: 'local',
    list: async () => (await ready()).list,
    execute: async (name, args, options) => {
      const found = (await ready()).byName.get(name);
      return found === undefined ? errorOutput(`There is no local tool named "${name}".`) : run(found, args, options);
    },
    takeWarnings: () => {
      const sentences = [...warnings];
      warnings.clear();
      return sentences;
    },
    close: async () => {},
  };
}

function describe(name: string, tool: LocalTool, { jsonSchema, validate }: ResolvedSchema): SourceTool {
  const { title, timeoutMs, totalTimeoutMs, maxOutputChars, strict, destructive, idempotent } = tool;
  // AI SDK 7 allows a function here, which gets the tool's context.
  const description = typeof tool.description === 'function' ? tool.description({ context: {} }) : tool.description;
  const checkArguments = async (args: ToolArguments): Promise<string | undefined> => {
    const checked = await validateArguments(args, validate);
    return checked.ok ? undefined : checked.message;
  };
  return {
    name,
    // Not checked yet: schemas that are not objects are dropped, with a reason, when the toolset is made.
    inputSchema: (jsonSchema ?? {}) as JsonObject,
    readOnly: tool.readOnly === true,
    ...defined({ title, description, timeoutMs, totalTimeoutMs, maxOutputChars, strict, destructive, idempotent }),
    ...defined({ needsApproval: approvalOf(tool, validate) }),
    ...(validate === undefined ? {} : { checkArguments }),
    options: toolOptions(tool),
  };
}

function approvalOf(
  { needsApproval }: LocalTool,
  validate: ResolvedSchema['validate'],
): SourceTool['needsApproval'] | undefined {
  if (needsApproval === undefined || needsApproval === false) return undefined;
  if (needsApproval === true) return () => true;
  return async (args, callId) => {
    const checked = await validateArguments(args, validate);
    // A call with bad arguments is refused anyway and needs no approval.
    if (!checked.ok) return false;
    try {
      const input = checked.value as Readonly<Record<string, unknown>>;
      return Boolean(await needsApproval(input, { toolCallId: callId, messages: [], context: {} }));
    } catch {
      return true;
    }
  };
}

async function run(ready: ReadyTool, args: ToolArguments, options: ExecuteOptions): Promise<ToolOutput> {
  const checked = await validateArguments(args, ready.validate);
  if (!checked.ok) return errorOutput(checked.message);
  // A call that was aborted during the check must not run.
  if (options.signal.aborted) throw abortError(options.signal);
  // Without a validator, the parsed arguments; with one, its result.
  const input = checked.value as Readonly<Record<string, unknown>>;
  const { callId: toolCallId, signal: abortSignal } = options;
  const pending = ready.tool.execute?.(input, { toolCallId, abortSignal, messages: [], context: {} });
  const output = await readResult(pending, options);
  return forModel(ready, { toolCallId, input, output });
}

/** The model reads what `toModelOutput` returns; a user interface gets the result itself. */
async function forModel({ tool, listed, warn }: ReadyTool, call: EndedCall): Promise<ToolOutput> {
  const result = call.output;
  if (tool.toModelOutput === undefined || result instanceof Error) return mapReturnValue(result);
  try {
    const output = await callToModelOutput((argument) => tool.toModelOutput?.(argument), call);
    const value = typeof result === 'string' ? result : (await mapReturnValue(result)).value;
    return { ...output, ...defined({ value }) };
  } catch (error) {
    warn(`The local tool "${listed.name}": its toModelOutput failed (${errorText(error)}); the result was kept back.`);
    // Such functions often remove data that the model must not see.
    return errorOutput('The tool ran, but its result is kept back: its toModelOutput failed.');
  }
}

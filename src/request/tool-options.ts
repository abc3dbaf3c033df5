import type { JsonObject } from '../core/json.js';
import type { FunctionOptions, HostedTool } from '../core/tool.js';
import type { CallWarning } from '../core/warning.js';
import { argumentsOfTool } from '../items/kinds.js';
import { rowOf } from '../util/guards.js';
import { checkOption, refuseOrWarn } from './convert-options.js';
import { TOOL_OPTIONS } from './option-table.js';
import { hasGpt6Features, vendorOf, type VendorsProfile } from './vendors.js';

export interface FunctionPlace {
  /** The name of the tool. */
  readonly tool: string;
  readonly modelId?: string | undefined;
  readonly profile?: VendorsProfile | undefined;
}

/**
 * Reads the options of a tool's declaration, with the names of `@ai-sdk/openai`.
 *
 * @throws ResponsesLoopError `invalid-options`: an option of the wrong JSON type, or of a value that OpenAI does not
 * know
 */
export function readFunctionOptions(
  given: JsonObject,
  { tool, modelId = '', profile = {} }: FunctionPlace,
): { readonly options: FunctionOptions; readonly warnings: readonly CallWarning[] } {
  const options: JsonObject = {};
  const warnings: CallWarning[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    const shape = rowOf(TOOL_OPTIONS, name);
    if (shape === undefined) {
      const details = `The provider option "${name}" of the tool "${tool}" is not known and was not sent.`;
      warnings.push({ feature: `${name} of the tool "${tool}"`, details });
      continue;
    }
    warnings.push(...checkOption(value, shape, `${tool}.${name}`, vendorOf(profile)));
    options[name] = value;
  }
  if (options['async'] === true && !hasGpt6Features(modelId, profile)) {
    delete options['async'];
    warnings.push({
      feature: `async tool calling for "${tool}"`,
      details: `The tool "${tool}" was sent without "async": ${modelId} is older than GPT-6 and does not support it.`,
    });
  }
  return { options, warnings };
}

/**
 * Returns warnings about the arguments of a tool that the server runs.
 *
 * @throws ResponsesLoopError `invalid-options`: an argument of the wrong JSON type, or of a value that OpenAI does not
 * know
 */
export function checkHostedArguments(
  { id, name, args }: Omit<HostedTool, 'type'>,
  profile: VendorsProfile = {},
): string[] {
  const shape = argumentsOfTool(id);
  if (shape === undefined) return [];
  const { oneOf, allowed } = shape.needs ?? { oneOf: [], allowed: '' };
  const isWithout = oneOf.length > 0 && oneOf.every((place) => (args[place] ?? undefined) === undefined);
  if (isWithout) return [refuseOrWarn({ kind: 'type', path: name, value: args, allowed }, true)];
  return checkOption(args, shape, name, vendorOf(profile));
}

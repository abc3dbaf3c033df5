import type { JsonObject } from '../core/json.js';
import type { Profile } from '../core/profile.js';
import type { FunctionOptions } from '../core/tool.js';
import type { CallWarning } from '../core/warning.js';
import { checkValue } from './check-value.js';
import { refuseOrWarn } from './convert-options.js';
import { TOOL_OPTIONS } from './option-table.js';
import { hasGpt6Features, vendorOf } from './vendors.js';
import { rowOf } from '../util/guards.js';

export interface FunctionPlace {
  /** The name of the tool. */
  readonly tool: string;
  readonly modelId?: string | undefined;
  readonly profile?: Profile | undefined;
}

/**
 * What the declaration of a tool says besides, as the stock provider names it.
 *
 * @throws ResponsesLoopError `invalid-options`: an option of the wrong JSON type, or of a value that OpenAI does not know
 */
export function readFunctionOptions(
  given: JsonObject,
  { tool, modelId = '', profile }: FunctionPlace,
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
    const misfit = checkValue(value, shape, name);
    if (misfit !== undefined)
      warnings.push(
        refuseOrWarn(
          { ...misfit, path: `${tool}.${misfit.path}` },
          profile !== undefined && vendorOf(profile).refusesUnknownValues,
        ),
      );
    options[name] = value;
  }
  if (options['async'] === true && profile !== undefined && !hasGpt6Features(modelId, profile)) {
    delete options['async'];
    warnings.push({
      feature: `async tool calling for "${tool}"`,
      details: `The tool "${tool}" was sent without "async": ${modelId} is older than GPT-6, which brought it.`,
    });
  }
  return { options, warnings };
}

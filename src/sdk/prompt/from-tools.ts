import type { Call } from '../../core/call.js';
import type { JsonObject } from '../../core/json.js';
import type { Profile } from '../../core/profile.js';
import type { FunctionOptions, HostedTool, ToolDeclaration } from '../../core/tool.js';
import type { CallWarning } from '../../core/warning.js';
import { toolOfId } from '../../items/kinds.js';
import { checkHostedArguments, readFunctionOptions } from '../../request/tool-options.js';
import { defined } from '../../util/defined.js';
import { asRecord, asRecords, asString } from '../../util/guards.js';
import { METADATA_KEY } from '../parts/metadata.js';
import { type OptionKeys, readProviderOptions } from './read-provider-options.js';

/** The caller's tools, sorted out. */
export interface CallTools extends Pick<
  Call,
  'clientTools' | 'hostedTools' | 'declaredLoopTools' | 'sdkRunTools' | 'lateTools'
> {
  readonly warnings: readonly CallWarning[];
}

export interface ReadToolsOptions {
  /** Whether a function without `strict` is strict. @default `false` */
  readonly strictByDefault?: boolean;
  /** The keys of a tool's options. */
  readonly keys?: OptionKeys;
  readonly modelId?: string;
  readonly profile?: Profile | undefined;
}

export const NO_CALL_TOOLS: CallTools = {
  clientTools: [],
  hostedTools: [],
  declaredLoopTools: [],
  sdkRunTools: [],
  lateTools: [],
  warnings: [],
};

/** Function tools in every version's shape; hosted ones are `provider-defined` in `ai` 5 and `provider` since 6. */
export function fromTools(tools: readonly unknown[] | undefined, options: ReadToolsOptions = {}): CallTools {
  const clientTools: ToolDeclaration[] = [];
  const hostedTools: HostedTool[] = [];
  const declaredLoopTools: string[] = [];
  const sdkRunTools: string[] = [];
  const lateTools: string[] = [];
  const warnings: CallWarning[] = [];
  for (const tool of asRecords(tools)) {
    if (tool['type'] !== 'function') hostedTools.push(...toHosted(tool, options, warnings));
    else if (isStub(tool)) declaredLoopTools.push(String(tool['name']));
    else {
      const declaration = toDeclaration(tool, options, warnings);
      if (isRunBySdk(tool)) sdkRunTools.push(declaration.name);
      if (markOf(tool)?.['isLate'] === true) lateTools.push(declaration.name);
      clientTools.push(declaration);
    }
  }
  return { clientTools, hostedTools, declaredLoopTools, sdkRunTools, lateTools, warnings };
}

export function isStub(tool: Record<string, unknown>): boolean {
  return markOf(tool)?.['loopTool'] === true;
}

/** Whether the tool is ours and the AI SDK runs it. */
function isRunBySdk(tool: Record<string, unknown>): boolean {
  return markOf(tool)?.['runBy'] === 'sdk';
}

function markOf(tool: Record<string, unknown>): Record<string, unknown> | undefined {
  return asRecord(asRecord(tool['providerOptions'])?.[METADATA_KEY]);
}

function toDeclaration(
  tool: Record<string, unknown>,
  { strictByDefault = false, ...place }: ReadToolsOptions,
  warnings: CallWarning[],
): ToolDeclaration {
  const name = String(tool['name']);
  const given = readProviderOptions(tool['providerOptions'], place.keys);
  const { isStrict, options } = isRunBySdk(tool)
    ? readOwn(given)
    : { isStrict: tool['strict'] ?? strictByDefault, options: given };
  return {
    name,
    ...defined({ description: asString(tool['description']) }),
    // JSON Schema is JSON.
    inputSchema: (asRecord(tool['inputSchema']) ?? { type: 'object', properties: {} }) as JsonObject,
    ...(isStrict === true ? { strict: true } : {}),
    ...optionsOf(name, options, place, warnings),
  };
}

/** Reads the options of a tool of ours. `strict` is among them, because V2 has no member for it. */
function readOwn({ runBy: _runBy, isLate: _isLate, strict, ...options }: JsonObject): {
  isStrict: unknown;
  options: JsonObject;
} {
  return { isStrict: strict, options };
}

function optionsOf(tool: string, given: JsonObject, place: ReadToolsOptions, warnings: CallWarning[]): FunctionOptions {
  const read = readFunctionOptions(given, { ...place, tool });
  warnings.push(...read.warnings);
  return read.options;
}

/**
 * `openai.web_search`: the provider it was made for, and the kind of tool.
 *
 * @throws ResponsesLoopError `invalid-options`: an argument of the wrong JSON type, or of a value that OpenAI does not know
 */
function toHosted(tool: Record<string, unknown>, place: ReadToolsOptions, warnings: CallWarning[]): HostedTool[] {
  const id = asString(tool['id']) ?? '';
  const [provider = '', kind] = id.split('.', 2);
  // The AI SDK types a provider tool's arguments as JSON.
  const args = (asRecord(tool['args']) ?? {}) as JsonObject;
  const name = asString(tool['name']) ?? kind ?? '';
  if (kind === undefined || !OWN_FAMILY.has(provider)) {
    warnings.push({
      feature: `provider-defined tool ${name}`,
      details: `The tool ${JSON.stringify(tool['id'] ?? tool['name'])} belongs to another provider and was not sent.`,
      tool: { id: provider === id ? `unknown.${id}` : id, name, args },
    });
    return [];
  }
  warnings.push(...checkHostedArguments({ id, name, args }, place.profile));
  if (kind !== 'custom') return [{ id, type: toolOfId(id) ?? kind, name, args }];
  // A custom tool has one function option, among its arguments.
  const { async: isAsync, ...others } = args;
  const options = optionsOf(name, defined({ async: isAsync }), place, warnings);
  return [{ id, type: kind, name, args: { ...others, ...defined({ async: options.async }) } }];
}

/** Providers whose tools are tools of the Responses API. */
const OWN_FAMILY: ReadonlySet<string> = new Set(['openai', 'azure', 'xai', METADATA_KEY]);

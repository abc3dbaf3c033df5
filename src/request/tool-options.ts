import type { JsonObject } from '../core/json.js';
import type { Profile } from '../core/profile.js';
import type { FunctionOptions, HostedTool } from '../core/tool.js';
import type { CallWarning } from '../core/warning.js';
import { rowOf } from '../util/guards.js';
import { lazy } from '../util/lazy.js';
import { checkValue, type Misfit, type Shape } from './check-value.js';
import { refuseOrWarn } from './convert-options.js';
import { TOOL_OPTIONS } from './option-table.js';
import { hasGpt6Features, vendorOf } from './vendors.js';

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

const texts: Shape = { listOf: 'string' };
const oneOf = (...values: readonly string[]): Shape => ({ oneOf: values });

/** Where OpenAI runs what a tool does. Files and memory, of a container that is made for it. */
const CONTAINER = { fileIds: texts, memoryLimit: oneOf('1g', '4g', '16g', '64g'), networkPolicy: 'object' } as const;
const PLACE: Shape = {
  members: { type: oneOf('approximate'), country: 'string', city: 'string', region: 'string', timezone: 'string' },
};
const SIZE = oneOf('low', 'medium', 'high');

/** Arguments of the AI SDK's tools of OpenAI, by id. What is not named here may be anything: arguments are added all the time. */
const ARGUMENTS = lazy((): Readonly<Record<string, Extract<Shape, { members: unknown }>>> => ({
  'openai.web_search': {
    members: {
      externalWebAccess: 'boolean',
      filters: { members: { allowedDomains: texts, blockedDomains: texts } },
      searchContextSize: SIZE,
      userLocation: PLACE,
    },
  },
  'openai.web_search_preview': { members: { searchContextSize: SIZE, userLocation: PLACE } },
  'openai.file_search': {
    members: { vectorStoreIds: texts, maxNumResults: 'number', ranking: 'object', filters: 'object' },
  },
  'openai.code_interpreter': { members: { container: { either: ['string', { members: CONTAINER }] } } },
  'openai.shell': {
    members: {
      environment: {
        members: { type: oneOf('containerAuto', 'containerReference', 'local'), ...CONTAINER, containerId: 'string' },
      },
    },
  },
  'openai.image_generation': {
    members: {
      action: oneOf('generate', 'edit', 'auto'),
      background: oneOf('auto', 'opaque', 'transparent'),
      inputFidelity: oneOf('low', 'high'),
      inputImageMask: { members: { fileId: 'string', imageUrl: 'string' } },
      model: 'string',
      moderation: oneOf('auto', 'low'),
      outputCompression: { between: [0, 100] },
      outputFormat: oneOf('png', 'jpeg', 'webp'),
      partialImages: { between: [0, 3] },
      quality: oneOf('auto', 'low', 'medium', 'high', 'xhigh', 'max'),
      size: 'string',
    },
  },
  'openai.mcp': {
    members: {
      serverLabel: 'string',
      serverUrl: 'string',
      connectorId: 'string',
      tunnelId: 'string',
      serverDescription: 'string',
      authorization: 'string',
      headers: 'object',
      allowedTools: { either: [texts, 'object'] },
      requireApproval: { either: [oneOf('always', 'never'), 'object'] },
    },
  },
  'openai.tool_search': {
    members: { execution: oneOf('server', 'client'), description: 'string', parameters: 'object' },
  },
}));

/** Those of xAI's. */
const XAI_ARGUMENTS = lazy((): Readonly<Record<string, Extract<Shape, { members: unknown }>>> => ({
  'xai.web_search': {
    members: {
      allowedDomains: texts,
      excludedDomains: texts,
      enableImageSearch: 'boolean',
      enableImageUnderstanding: 'boolean',
    },
  },
  'xai.x_search': {
    members: {
      allowedXHandles: texts,
      excludedXHandles: texts,
      fromDate: 'string',
      toDate: 'string',
      enableImageUnderstanding: 'boolean',
      enableVideoUnderstanding: 'boolean',
    },
  },
  'xai.file_search': { members: { vectorStoreIds: texts, maxNumResults: 'number' }, required: ['vectorStoreIds'] },
  'xai.image_generation': { members: { action: oneOf('auto', 'generate', 'edit') } },
  'xai.mcp': {
    members: {
      serverUrl: 'string',
      serverLabel: 'string',
      serverDescription: 'string',
      allowedTools: texts,
      headers: 'object',
      authorization: 'string',
    },
    required: ['serverUrl'],
  },
}));

/** Names of which one has to be there. */
const ONE_OF: Readonly<Record<string, readonly string[]>> = {
  'openai.mcp': ['serverUrl', 'connectorId', 'tunnelId', 'server_url', 'connector_id', 'tunnel_id'],
};

/**
 * What has to be said of the arguments of a tool that the server runs.
 *
 * @throws ResponsesLoopError `invalid-options`: an argument of the wrong JSON type, or of a value that OpenAI does not know
 */
export function checkHostedArguments({ id, name, args }: Omit<HostedTool, 'type'>, profile?: Profile): string[] {
  const misfit = misfitOf(id, name, args);
  const refuses = profile !== undefined && vendorOf(profile).refusesUnknownValues;
  return misfit === undefined ? [] : [refuseOrWarn(misfit, refuses)];
}

/** The first thing that cannot be right. */
function misfitOf(id: string, name: string, args: JsonObject): Misfit | undefined {
  const shape = rowOf(id.startsWith('xai.') ? XAI_ARGUMENTS() : ARGUMENTS(), id);
  if (shape === undefined) return undefined;
  const needed = rowOf(ONE_OF, id);
  if (needed !== undefined && needed.every((one) => (args[one] ?? undefined) === undefined))
    return { kind: 'type', path: name, value: args, allowed: 'an object with serverUrl, connectorId or tunnelId' };
  return checkValue(args, shape, name);
}

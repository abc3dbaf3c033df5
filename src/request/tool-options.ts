import type { JsonObject } from '../core/json.js';
import type { FunctionOptions, HostedTool } from '../core/tool.js';
import type { CallWarning } from '../core/warning.js';
import { rowOf } from '../util/guards.js';
import type { Shape } from './check-value.js';
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
 * What the declaration of a tool says besides, as `@ai-sdk/openai` names it.
 *
 * @throws ResponsesLoopError `invalid-options`: an option of the wrong JSON type, or of a value that OpenAI does not know
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

/** Arguments of the AI SDK's tools, by id. What is not named here may be anything: arguments are added all the time. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  'openai.web_search': {
    externalWebAccess: 'boolean',
    filters: { members: { allowedDomains: texts, blockedDomains: texts } },
    searchContextSize: SIZE,
    userLocation: PLACE,
  },
  'openai.web_search_preview': { searchContextSize: SIZE, userLocation: PLACE },
  'openai.file_search': { vectorStoreIds: texts, maxNumResults: 'number', ranking: 'object', filters: 'object' },
  'openai.code_interpreter': { container: { either: ['string', { members: CONTAINER }] } },
  'openai.shell': {
    environment: {
      members: { type: oneOf('containerAuto', 'containerReference', 'local'), ...CONTAINER, containerId: 'string' },
    },
  },
  'openai.image_generation': {
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
  'openai.mcp': {
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
  'openai.tool_search': { execution: oneOf('server', 'client'), description: 'string', parameters: 'object' },
  'xai.web_search': {
    allowedDomains: texts,
    excludedDomains: texts,
    enableImageSearch: 'boolean',
    enableImageUnderstanding: 'boolean',
  },
  'xai.x_search': {
    allowedXHandles: texts,
    excludedXHandles: texts,
    fromDate: 'string',
    toDate: 'string',
    enableImageUnderstanding: 'boolean',
    enableVideoUnderstanding: 'boolean',
  },
  'xai.file_search': { vectorStoreIds: texts, maxNumResults: 'number' },
  'xai.image_generation': { action: oneOf('auto', 'generate', 'edit') },
  'xai.mcp': {
    serverUrl: 'string',
    serverLabel: 'string',
    serverDescription: 'string',
    allowedTools: texts,
    headers: 'object',
    authorization: 'string',
  },
};

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  'xai.file_search': ['vectorStoreIds'],
  'xai.mcp': ['serverUrl'],
};

/** Of these an MCP server of OpenAI's has to have one. */
const MCP_PLACES = ['serverUrl', 'connectorId', 'tunnelId', 'server_url', 'connector_id', 'tunnel_id'];

/**
 * What has to be said of the arguments of a tool that the server runs.
 *
 * @throws ResponsesLoopError `invalid-options`: an argument of the wrong JSON type, or of a value that OpenAI does not know
 */
export function checkHostedArguments(
  { id, name, args }: Omit<HostedTool, 'type'>,
  profile: VendorsProfile = {},
): string[] {
  const members = rowOf(ARGUMENTS, id);
  if (members === undefined) return [];
  const allowed = 'an object with serverUrl, connectorId or tunnelId';
  if (id === 'openai.mcp' && MCP_PLACES.every((place) => (args[place] ?? undefined) === undefined))
    return [refuseOrWarn({ kind: 'type', path: name, value: args, allowed }, true)];
  return checkOption(args, { members, required: rowOf(REQUIRED, id) ?? [] }, name, vendorOf(profile));
}

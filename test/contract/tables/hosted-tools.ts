import type { Major } from '../sides.js';

/** One set of arguments of a tool that the API declares. */
export interface HostedRow {
  /** What the stock package's `tools` calls it. */
  readonly tool: string;
  /** Name in the call. Default: the tool's own. */
  readonly name?: string;
  /** What is said of it, for the scenario's name. */
  readonly says: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly since?: Major;
  /** The last major that takes these arguments. */
  readonly until?: Major;
}

const USER = { type: 'approximate', country: 'NO', city: 'Oslo', region: 'Oslo', timezone: 'Europe/Oslo' };
const MCP = { serverLabel: 'docs', serverUrl: 'https://docs.invalid/mcp' };
const SECRETS = [{ domain: 'ducks.test', name: 'KEY', value: 'quack' }];
const ALLOWLIST = { type: 'allowlist', allowedDomains: ['ducks.test'], domainSecrets: SECRETS };
const INLINE = {
  type: 'inline',
  name: 'quack',
  description: 'Quacks.',
  source: { type: 'base64', mediaType: 'application/zip', data: 'UEs=' },
};
const REFERENCE = { type: 'skillReference', providerReference: { openai: 'skill_1' } };
const container = (args: object): Record<string, unknown> => ({ environment: { type: 'containerAuto', ...args } });

const SEARCH: readonly HostedRow[] = [
  { tool: 'webSearch', says: 'nothing', args: {} },
  { tool: 'webSearch', says: 'size and place', args: { searchContextSize: 'high', userLocation: USER } },
  { tool: 'webSearch', says: 'domains', args: { filters: { allowedDomains: ['ducks.test'] } } },
  { tool: 'webSearch', says: 'blocked domains', args: { filters: { blockedDomains: ['geese.test'] } }, since: 3 },
  { tool: 'webSearch', says: 'no live access', args: { externalWebAccess: false }, since: 3 },
  { tool: 'webSearch', says: 'a name of its own', name: 'look', args: {} },
  { tool: 'webSearch', says: 'a wrong size', args: { searchContextSize: 'huge' } },
  { tool: 'webSearchPreview', says: 'nothing', args: {} },
  { tool: 'webSearchPreview', says: 'size and place', args: { searchContextSize: 'low', userLocation: USER } },
  { tool: 'fileSearch', says: 'a store', args: { vectorStoreIds: ['vs_1'] } },
  {
    tool: 'fileSearch',
    says: 'all',
    args: {
      vectorStoreIds: ['vs_1', 'vs_2'],
      maxNumResults: 3,
      ranking: { ranker: 'auto', scoreThreshold: 0.5 },
      filters: {
        type: 'and',
        filters: [
          { key: 'a', type: 'in', value: ['b'] },
          { key: 'c', type: 'gte', value: 3 },
        ],
      },
    },
  },
  { tool: 'fileSearch', says: 'stores that are no list', args: { vectorStoreIds: 'vs_1' } },
];

const RUNS: readonly HostedRow[] = [
  { tool: 'codeInterpreter', says: 'nothing', args: {} },
  { tool: 'codeInterpreter', says: 'a container', args: { container: 'cntr_1' } },
  { tool: 'codeInterpreter', says: 'files', args: { container: { fileIds: ['file-1'] } } },
  { tool: 'codeInterpreter', says: 'memory', args: { container: { memoryLimit: '4g' } }, since: 4 },
  {
    tool: 'codeInterpreter',
    says: 'no network',
    args: { container: { networkPolicy: { type: 'disabled' } } },
    since: 4,
  },
  { tool: 'codeInterpreter', says: 'some network', args: { container: { networkPolicy: ALLOWLIST } }, since: 4 },
  { tool: 'localShell', says: 'nothing', args: {} },
  { tool: 'shell', says: 'nothing', args: {}, since: 3 },
  { tool: 'shell', says: 'local', args: { environment: { type: 'local' } }, since: 3 },
  {
    tool: 'shell',
    says: 'local skills, without a type',
    args: { environment: { skills: [{ name: 'quack', description: 'Quacks.', path: '/quack' }] } },
    since: 3,
  },
  { tool: 'shell', says: 'a container', args: container({}), since: 3 },
  { tool: 'shell', says: 'files and memory', args: container({ fileIds: ['file-1'], memoryLimit: '1g' }), since: 3 },
  { tool: 'shell', says: 'no network', args: container({ networkPolicy: { type: 'disabled' } }), since: 3 },
  { tool: 'shell', says: 'some network', args: container({ networkPolicy: ALLOWLIST }), since: 3 },
  { tool: 'shell', says: 'an inline skill', args: container({ skills: [INLINE] }), since: 3 },
  {
    tool: 'shell',
    says: 'a skill by id',
    args: container({ skills: [{ type: 'skillReference', skillId: 'skill_1', version: '2' }] }),
    since: 3,
    until: 3,
  },
  { tool: 'shell', says: 'a skill by reference', args: container({ skills: [REFERENCE] }), since: 4 },
  {
    tool: 'shell',
    says: 'a skill in a version',
    args: container({ skills: [{ ...REFERENCE, version: '2' }] }),
    since: 4,
  },
  {
    tool: 'shell',
    says: 'a skill of another provider',
    args: container({ skills: [{ ...REFERENCE, providerReference: { anthropic: 'skill_1' } }] }),
    since: 4,
  },
  {
    tool: 'shell',
    says: 'a container that is there',
    args: { environment: { type: 'containerReference', containerId: 'cntr_1' } },
    since: 3,
  },
  { tool: 'shell', says: 'a wrong environment', args: { environment: { type: 'ducks' } }, since: 3 },
  { tool: 'applyPatch', says: 'nothing', args: {}, since: 3 },
  { tool: 'computer', says: 'nothing', args: {}, since: 4 },
];

const IMAGES: readonly HostedRow[] = [
  { tool: 'imageGeneration', says: 'nothing', args: {} },
  {
    tool: 'imageGeneration',
    says: 'all',
    args: {
      background: 'opaque',
      inputFidelity: 'high',
      inputImageMask: { fileId: 'file-1', imageUrl: 'https://ducks.test/a.png' },
      model: 'gpt-image-1',
      moderation: 'auto',
      outputCompression: 90,
      outputFormat: 'jpeg',
      quality: 'high',
      size: '1024x1024',
    },
  },
  { tool: 'imageGeneration', says: 'partial images', args: { partialImages: 2 }, since: 3 },
  { tool: 'imageGeneration', says: 'action', args: { action: 'edit' }, since: 4 },
  { tool: 'imageGeneration', says: 'moderation and size', args: { moderation: 'low', size: '512x512' }, since: 4 },
  { tool: 'imageGeneration', says: 'too many partial images', args: { partialImages: 9 }, since: 3 },
  { tool: 'imageGeneration', says: 'an argument it has not', args: { ducks: 3 } },
];

const MCP_ROWS: readonly HostedRow[] = [
  { tool: 'mcp', says: 'a URL', args: MCP, since: 3 },
  {
    tool: 'mcp',
    says: 'all',
    args: {
      ...MCP,
      allowedTools: ['find'],
      authorization: 'token',
      headers: { 'x-duck': 'mallard' },
      requireApproval: 'always',
      serverDescription: 'Docs.',
    },
    since: 3,
  },
  { tool: 'mcp', says: 'a connector', args: { serverLabel: 'mail', connectorId: 'connector_gmail' }, since: 3 },
  { tool: 'mcp', says: 'a tunnel', args: { serverLabel: 'inside', tunnelId: 'tunnel_1' }, since: 4 },
  {
    tool: 'mcp',
    says: 'some tools',
    args: { ...MCP, allowedTools: { readOnly: true, toolNames: ['find'] } },
    since: 3,
  },
  { tool: 'mcp', says: 'never', args: { ...MCP, requireApproval: 'never' }, since: 3 },
  {
    tool: 'mcp',
    says: 'never for some',
    args: { ...MCP, requireApproval: { never: { toolNames: ['find'] } } },
    since: 3,
  },
  { tool: 'mcp', says: 'no server', args: { serverLabel: 'docs' }, since: 3 },
];

const OTHERS: readonly HostedRow[] = [
  {
    tool: 'customTool',
    name: 'sql',
    says: 'key and name',
    args: { name: 'write_sql', description: 'SQL.' },
    since: 3,
    until: 3,
  },
  { tool: 'customTool', name: 'sql', says: 'nothing', args: {}, since: 4 },
  {
    tool: 'customTool',
    name: 'sql',
    says: 'text',
    args: { name: 'sql', description: 'SQL.', format: { type: 'text' } },
    since: 3,
  },
  {
    tool: 'customTool',
    name: 'sql',
    says: 'a grammar',
    args: { name: 'sql', format: { type: 'grammar', syntax: 'lark', definition: 'start: "SELECT"' } },
    since: 3,
  },
  { tool: 'customTool', name: 'sql', says: 'async', args: { name: 'sql', async: true }, since: 3 },
  { tool: 'toolSearch', says: 'nothing', args: {}, since: 3 },
  { tool: 'toolSearch', says: 'server', args: { execution: 'server' }, since: 3 },
  {
    tool: 'toolSearch',
    says: 'client',
    args: {
      execution: 'client',
      description: 'Finds tools.',
      parameters: { type: 'object', properties: { goal: { type: 'string' } } },
    },
    since: 3,
  },
  { tool: 'programmaticToolCalling', says: 'nothing', args: {}, since: 4 },
];

/** Every tool of the stock package's `tools`, with every argument; some with one that it refuses. */
export const HOSTED_TOOLS: readonly HostedRow[] = [...SEARCH, ...RUNS, ...IMAGES, ...MCP_ROWS, ...OTHERS];

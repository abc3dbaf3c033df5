import type { RequestScenario } from '../scenarios/requests.js';
import type { Scenario } from '../scenarios/scenario.js';

type Loose = Readonly<Record<string, unknown>>;
type Combination = RequestScenario;

const asking = (openai: Loose, more: Loose = {}): Loose => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Ducks?' }] }],
  providerOptions: { openai: { store: true, ...openai } },
  ...more,
});

const ADD = { name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} } } as const;
const lateAdd = (openai: Loose) => ({ ...ADD, name: 'late', providerOptions: { openai } });
const SEARCH: Scenario['hosted'] = { look: (make) => make['webSearch']?.({}) };
const FILES: Scenario['hosted'] = { files: (make) => make['fileSearch']?.({ vectorStoreIds: ['vs_1'] }) };
const CODE: Scenario['hosted'] = { code: (make) => make['codeInterpreter']?.({}) };

const ALLOWED: readonly Combination[] = [
  {
    name: 'allowedTools: a declared tool by its key',
    call: asking({ allowedTools: { toolNames: ['look'] } }),
    hosted: SEARCH,
    only: [3, 4],
  },
  {
    name: 'allowedTools: a declared tool by its kind',
    call: asking({ allowedTools: { toolNames: ['web_search'] } }),
    hosted: SEARCH,
    only: [3, 4],
  },
  {
    name: 'allowedTools: a name that is not there',
    call: asking({ allowedTools: { toolNames: ['add', 'ducks'] } }),
    tools: [ADD],
    only: [3, 4],
  },
  {
    name: 'allowedTools: a deferred function',
    call: asking({ allowedTools: { toolNames: ['add', 'late'] } }),
    tools: [ADD, lateAdd({ deferLoading: true })],
    only: [3, 4],
  },
  {
    name: 'allowedTools: a function in a namespace',
    call: asking({ allowedTools: { toolNames: ['add', 'late'] } }),
    tools: [ADD, lateAdd({ namespace: { name: 'ducks', description: 'Ducks.' } })],
    only: [3, 4],
  },
  {
    name: 'allowedTools: nothing that can be allowed',
    call: asking({ allowedTools: { toolNames: ['late'] } }),
    tools: [lateAdd({ deferLoading: true })],
    only: [3, 4],
  },
  {
    name: 'allowedTools: the tool search',
    call: asking({ allowedTools: { toolNames: ['add', 'tool_search'] } }),
    tools: [ADD],
    hosted: { tool_search: (make) => make['toolSearch']?.({}) },
    only: [3, 4],
  },
  {
    name: 'allowedTools: an ambiguous kind',
    call: asking({ allowedTools: { toolNames: ['add', 'mcp'] } }),
    tools: [ADD],
    hosted: {
      one: (make) => make['mcp']?.({ serverLabel: 'one', serverUrl: 'https://one.invalid/' }),
      two: (make) => make['mcp']?.({ serverLabel: 'two', serverUrl: 'https://two.invalid/' }),
    },
    only: [3, 4],
  },
];

const forced = (toolName: string, hosted: Scenario['hosted'], only: Combination['only'] = [2, 3, 4]): Combination => ({
  name: `toolChoice: ${toolName}`,
  call: asking({}, { toolChoice: { type: 'tool', toolName } }),
  hosted,
  only,
});
const made = (tool: string, args: object = {}): Scenario['hosted'] => ({ it: (make) => make[tool]?.(args) });
const MCP = { serverLabel: 'docs', serverUrl: 'https://docs.invalid/mcp' };

/** The key differs from the kind on purpose. */
const CHOICES: readonly Combination[] = [
  { ...forced('look', SEARCH), name: 'toolChoice: webSearch' },
  { ...forced('files', FILES), name: 'toolChoice: fileSearch' },
  { ...forced('code', CODE), name: 'toolChoice: codeInterpreter' },
  { ...forced('it', made('imageGeneration')), name: 'toolChoice: imageGeneration' },
  { ...forced('it', made('localShell')), name: 'toolChoice: localShell' },
  { ...forced('it', made('mcp', MCP), [3, 4]), name: 'toolChoice: mcp' },
  { ...forced('it', made('shell'), [3, 4]), name: 'toolChoice: shell' },
  { ...forced('it', made('applyPatch'), [3, 4]), name: 'toolChoice: applyPatch' },
  { ...forced('it', made('toolSearch'), [3, 4]), name: 'toolChoice: toolSearch' },
  { ...forced('it', made('customTool', { name: 'write_sql' }), [3]), name: 'toolChoice: customTool by its key' },
  { ...forced('it', made('customTool'), [4]), name: 'toolChoice: customTool' },
  { ...forced('it', made('computer'), [4]), name: 'toolChoice: computer' },
  { ...forced('it', made('programmaticToolCalling'), [4]), name: 'toolChoice: programmaticToolCalling' },
];

/** Which tool is to be called, said in both ways. */
export const TOOL_CHOICES: readonly Combination[] = [...ALLOWED, ...CHOICES];

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import type { ToolDeclaration } from '../../src/core/tool.js';
import { build, user } from './support/build.js';

const hosted = (id: string, args: JsonObject = {}, name = id.split('.')[1] ?? '') => ({
  type: 'provider',
  id,
  name,
  args,
});
const fn = (name: string, options?: JsonObject) => ({
  type: 'function',
  name,
  inputSchema: { type: 'object', properties: {} },
  ...(options === undefined ? {} : { providerOptions: { openai: options } }),
});
const toolsOf = (...tools: object[]) => build({ tools }).body['tools'] as JsonObject[];

describe('hosted MCP servers', () => {
  const args = { serverLabel: 's', serverUrl: 'https://x.example' };

  it('openai.mcp asks for no approval where nothing is said, as the stock provider', () => {
    expect(toolsOf(hosted('openai.mcp', args))).toEqual([
      { type: 'mcp', server_label: 's', server_url: 'https://x.example', require_approval: 'never' },
    ]);
  });

  it.each<[string, JsonObject[string], JsonObject[string]]>([
    ['always', 'always', 'always'],
    ['a filter', { never: { toolNames: ['a'] } }, { never: { tool_names: ['a'] } }],
    ['the other filter of the API', { always: { toolNames: ['a'] } }, { always: { tool_names: ['a'] } }],
    ['null', null, 'never'],
    ['an empty filter', {}, 'never'],
  ])('requireApproval: %s', (_name, requireApproval, expected) => {
    expect(toolsOf(hosted('openai.mcp', { ...args, requireApproval }))[0]).toMatchObject({
      require_approval: expected,
    });
  });

  it("xAI's has no such field", () => {
    const { body } = build({ backend: 'xai', tools: [hosted('xai.mcp', args)] });
    expect((body['tools'] as JsonObject[])[0]).not.toHaveProperty('require_approval');
  });
});

describe('shell environments', () => {
  const environmentOf = (environment: JsonObject, backend: 'openai' | 'azure' = 'openai') =>
    (build({ backend, tools: [hosted('openai.shell', { environment })] }).body['tools'] as JsonObject[])[0]?.[
      'environment'
    ];

  it.each<[string, JsonObject, JsonObject]>([
    ['no type', { skills: [] }, { type: 'local', skills: [] }],
    ['local', { type: 'local' }, { type: 'local' }],
    [
      'containerReference',
      { type: 'containerReference', containerId: 'c' },
      { type: 'container_reference', container_id: 'c' },
    ],
    [
      'containerAuto',
      {
        type: 'containerAuto',
        fileIds: ['f'],
        memoryLimit: '4g',
        networkPolicy: {
          type: 'allowlist',
          allowedDomains: ['d'],
          domainSecrets: [{ domain: 'd', name: 'aB', value: 'v' }],
        },
        skills: [
          { type: 'skillReference', providerReference: { openai: 'skill_1' } },
          { type: 'skillReference', providerReference: { openai: 'skill_2' }, version: '3' },
          { type: 'skillReference', skillId: 'skill_of_3' },
          {
            type: 'inline',
            name: 'n',
            description: 'd',
            source: { type: 'base64', mediaType: 'application/zip', data: 'AA' },
          },
        ],
      },
      {
        type: 'container_auto',
        file_ids: ['f'],
        memory_limit: '4g',
        network_policy: {
          type: 'allowlist',
          allowed_domains: ['d'],
          domain_secrets: [{ domain: 'd', name: 'aB', value: 'v' }],
        },
        skills: [
          { type: 'skill_reference', skill_id: 'skill_1', version: 'latest' },
          { type: 'skill_reference', skill_id: 'skill_2', version: '3' },
          { type: 'skill_reference', skill_id: 'skill_of_3' },
          {
            type: 'inline',
            name: 'n',
            description: 'd',
            source: { type: 'base64', media_type: 'application/zip', data: 'AA' },
          },
        ],
      },
    ],
  ])('%s', (_name, environment, expected) => {
    expect(environmentOf(environment)).toStrictEqual(expected);
  });

  it('no environment is none', () => {
    expect(toolsOf(hosted('openai.shell'))).toEqual([{ type: 'shell' }]);
  });

  it('a skill without an id for this provider is refused, and the message names the tool and who has one', () => {
    const environment = {
      type: 'containerAuto',
      skills: [{ type: 'skillReference', providerReference: { anthropic: 'a' } }],
    };
    expect(() => environmentOf(environment)).toThrow(
      expect.objectContaining({
        code: 'invalid-options',
        message: expect.stringMatching(/"shell".*openai.*anthropic/) as string,
      }),
    );
  });

  it('Azure has ids of its own, or those of OpenAI', () => {
    const skills = [{ type: 'skillReference', providerReference: { azure: 'az', openai: 'oa' } }];
    expect(environmentOf({ type: 'containerAuto', skills }, 'azure')).toMatchObject({ skills: [{ skill_id: 'az' }] });
  });
});

describe("xAI's tools", () => {
  it('code_execution is a code_interpreter without a container', () => {
    const { body } = build({ backend: 'xai', tools: [hosted('xai.code_execution')] });
    expect(body['tools']).toEqual([{ type: 'code_interpreter' }]);
  });

  it('cannot be forced, and the warning says so', () => {
    const tools = [hosted('xai.x_search')];
    const toolChoice = { type: 'tool', toolName: 'x_search' };
    const { body, rawWarnings } = build({ backend: 'xai', tools, toolChoice });
    expect(body).not.toHaveProperty('tool_choice');
    expect(rawWarnings).toMatchObject([{ feature: 'toolChoice for server-side tool "x_search"' }]);
  });

  it('the others keep their kind', () => {
    const tools = [hosted('xai.x_search', { allowedXHandles: ['a'] }), hosted('xai.view_image')];
    expect(build({ backend: 'xai', tools }).body['tools']).toEqual([
      { type: 'x_search', allowed_x_handles: ['a'] },
      { type: 'view_image' },
    ]);
  });
});

describe('7a a custom tool that is declared under another key than its name', () => {
  const tool = hosted('openai.custom', { name: 'write_sql' }, 'sql');

  it('is sent under its name, and chosen and allowed by it', () => {
    const chosen = build({ tools: [tool], toolChoice: { type: 'tool', toolName: 'sql' } }).body;
    expect(chosen).toMatchObject({
      tools: [{ type: 'custom', name: 'write_sql' }],
      tool_choice: { type: 'custom', name: 'write_sql' },
    });
    const allowedTools = { toolNames: ['sql'] };
    expect(build({ tools: [tool], providerOptions: { openai: { allowedTools } } }).body['tool_choice']).toMatchObject({
      tools: [{ type: 'custom', name: 'write_sql' }],
    });
  });

  it('without a name it goes by its key', () => {
    expect(toolsOf(hosted('openai.custom', { description: 'd' }, 'sql'))).toEqual([
      { type: 'custom', name: 'sql', description: 'd' },
    ]);
  });
});

describe('options of functions', () => {
  it('go out as the stock provider sends them', () => {
    const outputSchema = { type: 'object', properties: { aB: { type: 'string' } } };
    expect(toolsOf(fn('f', { deferLoading: true, allowedCallers: ['programmatic'], outputSchema }))).toEqual([
      {
        type: 'function',
        name: 'f',
        parameters: { type: 'object', properties: {} },
        strict: false,
        defer_loading: true,
        allowed_callers: ['programmatic'],
        output_schema: outputSchema,
      },
    ]);
  });

  it('functions of one namespace stand together, where the first one stands', () => {
    const crm = { name: 'crm', description: 'Customers.' };
    const tools = toolsOf(fn('a', { namespace: crm }), fn('b'), fn('c', { namespace: { ...crm }, deferLoading: true }));
    expect(tools).toMatchObject([
      { type: 'namespace', ...crm, tools: [{ name: 'a' }, { name: 'c', defer_loading: true }] },
      { type: 'function', name: 'b' },
    ]);
    expect(tools).toHaveLength(2);
  });

  it('a namespace with two descriptions is refused', () => {
    const tools = [
      fn('a', { namespace: { name: 'n', description: '1' } }),
      fn('b', { namespace: { name: 'n', description: '2' } }),
    ];
    expect(() => toolsOf(...tools)).toThrow(
      expect.objectContaining({ code: 'invalid-options', message: expect.stringContaining('"b"') as string }),
    );
  });

  it.each<[string, JsonObject, string]>([
    ['deferLoading', { deferLoading: 'yes' }, '"f.deferLoading" is "yes"'],
    ['allowedCallers', { allowedCallers: 'programmatic' }, '"f.allowedCallers"'],
    ['allowedCallers of a value nobody knows', { allowedCallers: ['anybody'] }, '"f.allowedCallers[0]" is "anybody"'],
    ['namespace', { namespace: { name: 'n' } }, '"f.namespace.description" is missing'],
  ])('%s of a wrong kind is refused', (_name, options, message) => {
    expect(() => toolsOf(fn('f', options))).toThrow(
      expect.objectContaining({ code: 'invalid-options', message: expect.stringContaining(message) as string }),
    );
  });

  it('an unknown one is not sent, and said so', () => {
    const { body, rawWarnings } = build({ tools: [fn('f', { deferloading: true })] });
    expect((body['tools'] as JsonObject[])[0]).toStrictEqual(
      (build({ tools: [fn('f')] }).body['tools'] as JsonObject[])[0],
    );
    expect(rawWarnings).toMatchObject([{ feature: 'deferloading of the tool "f"' }]);
  });

  it.each([
    ['gpt-6-sol', true],
    ['gpt-5.4', false],
    ['my-deployment', true],
  ])('async for %s: sent %s, for functions and custom tools', (modelId, isSent) => {
    const { body, rawWarnings } = build({
      modelId,
      tools: [fn('f', { async: true }), hosted('openai.custom', { async: true }, 'c')],
    });
    for (const tool of body['tools'] as JsonObject[]) expect(tool['async']).toBe(isSent ? true : undefined);
    expect(rawWarnings.map((warning) => (typeof warning === 'string' ? warning : warning.feature))).toEqual(
      isSent ? [] : ['async tool calling for "f"', 'async tool calling for "c"'],
    );
  });

  it('omitFromRequestTools keeps a function out of `tools`', () => {
    expect(toolsOf(fn('a'), fn('b', { omitFromRequestTools: true }))).toHaveLength(1);
  });

  it.each(['azure', 'responses-loop', 'relay'])('are read under `%s` too', (key) => {
    const tool = { ...fn('f'), providerOptions: { [key]: { deferLoading: true } } };
    expect(build({ backend: 'azure', name: 'relay', tools: [tool] }).body['tools']).toMatchObject([
      { defer_loading: true },
    ]);
  });
});

describe('a tool that says what its results look like', () => {
  const outputs = (outputSchema: JsonObject, ...results: object[]) => {
    const prompt = [
      user('a'),
      {
        role: 'assistant',
        content: results.map((_, n) => ({ type: 'tool-call', toolCallId: `c${n}`, toolName: 'f', input: {} })),
      },
      {
        role: 'tool',
        content: results.map((output, n) => ({ type: 'tool-result', toolCallId: `c${n}`, toolName: 'f', output })),
      },
    ];
    return build({ prompt, tools: [fn('f', { outputSchema })] })
      .input.slice(-results.length)
      .map(({ output }) => output);
  };

  it('has them sent as JSON', () => {
    expect(
      outputs(
        { type: 'string' },
        { type: 'text', value: 'Error: boom' },
        { type: 'text', value: '5' },
        { type: 'json', value: 'said' },
      ),
    ).toEqual(['"Error: boom"', '"5"', '"said"']);
    expect(outputs({ type: 'object' }, { type: 'json', value: { a: 1 } }, { type: 'text', value: 'no' })).toEqual([
      '{"a":1}',
      '"no"',
    ]);
  });

  it('others have not', () => {
    const prompt = [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'f', input: {} }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'f', output: { type: 'text', value: 'x' } }],
      },
    ];
    expect(build({ prompt, tools: [fn('f')] }).input.at(-1)?.['output']).toBe('x');
  });
});

describe('loop tools that have to be searched for', () => {
  const loopTools: ToolDeclaration[] = [
    { name: 'found', inputSchema: { type: 'object' }, deferLoading: true },
    { name: 'there', inputSchema: { type: 'object' } },
  ];

  it('bring a tool search with them, unless the call has one', () => {
    expect(build({ loopTools }).body['tools']).toMatchObject([
      { name: 'found', defer_loading: true },
      { name: 'there' },
      { type: 'tool_search' },
    ]);
    const own = build({ loopTools, tools: [hosted('openai.tool_search', { execution: 'client' })] }).body[
      'tools'
    ] as JsonObject[];
    expect(own.filter(({ type }) => type === 'tool_search')).toEqual([{ type: 'tool_search', execution: 'client' }]);
  });

  it("the caller's own deferred tools bring none, as with the stock provider", () => {
    expect(toolsOf(fn('f', { deferLoading: true }))).toHaveLength(1);
  });

  it('one that has to be called is there from the start', () => {
    const { body } = build({ loopTools, toolChoice: { type: 'tool', toolName: 'found' } });
    expect(body['tools']).toMatchObject([{ name: 'found', defer_loading: false }, { name: 'there' }]);
  });
});

describe('allowedTools', () => {
  const search = hosted('openai.web_search', {}, 'webSearch');
  const allow = (toolNames: string[], ...tools: object[]) =>
    (build({ tools, providerOptions: { openai: { allowedTools: { toolNames } } } }).body['tool_choice'] as JsonObject)[
      'tools'
    ];

  it.each<[string, string[], object[], object[]]>([
    ['a function', ['f'], [fn('f')], [{ type: 'function', name: 'f' }]],
    ['a hosted tool by its key', ['webSearch'], [search], [{ type: 'web_search' }]],
    ["a hosted tool by the server's word", ['web_search'], [search], [{ type: 'web_search' }]],
    ['a custom tool by its key', ['c'], [hosted('openai.custom', {}, 'c')], [{ type: 'custom', name: 'c' }]],
    [
      'an MCP server',
      ['docs'],
      [hosted('openai.mcp', { serverLabel: 'd', serverUrl: 'https://x.example' }, 'docs')],
      [{ type: 'mcp', server_label: 'd' }],
    ],
    ['one nobody declared: as a function', ['ghost'], [fn('f')], [{ type: 'function', name: 'ghost' }]],
    [
      'a deferred one is left out',
      ['f', 'g'],
      [fn('f'), fn('g', { deferLoading: true })],
      [{ type: 'function', name: 'f' }],
    ],
    [
      'one in a namespace is left out',
      ['f', 'g'],
      [fn('f'), fn('g', { namespace: { name: 'n', description: 'd' } })],
      [{ type: 'function', name: 'f' }],
    ],
    [
      'tool search is left out',
      ['f', 'tool_search'],
      [fn('f'), hosted('openai.tool_search')],
      [{ type: 'function', name: 'f' }],
    ],
    [
      'a name that two servers share is left out',
      ['f', 'mcp'],
      [fn('f'), ...['a', 'b'].map((name) => hosted('openai.mcp', { serverLabel: name, connectorId: name }, name))],
      [{ type: 'function', name: 'f' }],
    ],
    [
      'a function named as a kind wins',
      ['web_search'],
      [fn('web_search'), search],
      [{ type: 'function', name: 'web_search' }],
    ],
  ])('%s', (_name, names, tools, expected) => {
    expect(allow(names, ...tools)).toEqual(expected);
  });

  it('that allow nothing are refused', () => {
    expect(() => allow(['g'], fn('g', { deferLoading: true }))).toThrow(
      expect.objectContaining({ code: 'invalid-options', message: expect.stringContaining('"g"') as string }),
    );
  });
});

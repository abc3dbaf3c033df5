import { describe, expect, it } from 'vitest';
import { fromPrompt } from '../../src/sdk/prompt/from-prompt.js';

describe('additionalTools', () => {
  const late = { type: 'function', name: 'late', parameters: {} };
  const resultWith = (options: object): object => ({
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'c1',
        toolName: 'find',
        output: { type: 'text', value: 'ok' },
        providerOptions: { openai: options },
      },
    ],
  });
  const toolsOf = (prompt: object[], options: Parameters<typeof fromPrompt>[1]): unknown => {
    const { messages, warnings } = fromPrompt(prompt, { tools: new Set(['late']), ...options });
    const [first] = messages.flatMap((message) => (message.role === 'tool' ? message.content : []));
    return [first?.type === 'tool-result' ? first.output.additionalTools : messages, warnings];
  };

  it.each([
    ['with a secret', { carriers: true, signed: new Set<object>() }, 'not signed for this part'],
    ['with carrier none', { carriers: false }, 'with `carrier: "none"`'],
  ])('%s: tools that follow a result are left out with a warning', (_name, trust, why) => {
    expect(toolsOf([resultWith({ additionalTools: [late] })], {})).toEqual([[late], []]);
    expect(toolsOf([resultWith({ additionalTools: [late] })], { trust })).toEqual([
      undefined,
      [`Message 0 of the prompt has metadata that cannot be taken (additionalTools: ${why}); it was left out.`],
    ]);
  });

  it.each([
    ['an MCP server under the name of a declared tool', { type: 'mcp', name: 'late', server_url: 'https://x.example' }],
    ['one in a namespace', { type: 'namespace', name: 'n', tools: [late, { type: 'mcp', name: 'late' }] }],
    [
      'an undeclared function, two namespaces deep',
      { type: 'namespace', name: 'n', tools: [{ type: 'namespace', name: 'm', tools: [{ ...late, name: 'other' }] }] },
    ],
  ])('%s is left out with a warning', (_name, tool) => {
    expect(toolsOf([resultWith({ additionalTools: [tool] })], {})).toEqual([
      undefined,
      [expect.stringMatching(/^Message 0 of the prompt brings /)],
    ]);
  });

  it.each([500, 50_000])('in %i namespaces in one another fail no call, and are left out with a warning', (levels) => {
    let tool: object = { type: 'namespace', name: 'n', tools: [late] };
    for (let level = 0; level < levels; level += 1) tool = { type: 'namespace', name: 'n', tools: [tool] };
    expect(toolsOf([resultWith({ additionalTools: [tool] })], {})).toEqual([
      undefined,
      [expect.stringMatching(/^Message 0 .* \(additionalTools: deeper or larger than anything we wrote\)/)],
    ]);
  });

  it('of a system message need no signature: the message is the own of the caller', () => {
    const message = { role: 'system', content: '', providerOptions: { openai: { additionalTools: [late] } } };
    const { messages } = fromPrompt([message], { trust: { carriers: false, signed: new Set() } });
    expect(messages).toEqual([{ role: 'system', text: '', additionalTools: [late] }]);
  });
});

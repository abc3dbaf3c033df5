import { describe, expect, it } from 'vitest';
import { typeErrors } from '../helpers/type-errors.js';
import { sdk, spec } from './support/sdk.js';

const AGENT = sdk === 5 ? 'Experimental_Agent' : 'ToolLoopAgent';

/** An app in TypeScript that has our tools beside its own. */
const app = (runBy: string): string => `
import { ${AGENT}, generateText, jsonSchema, stepCountIs, streamText, tool, type ToolSet } from 'ai';
import { createResponsesProvider } from 'responses-loop';

const provider = createResponsesProvider({ tools: { add: { execute: () => '5' } } });
const model = provider('gpt-5.1');
const ours = await provider.tools(${runBy});
export const set: ToolSet = ours;

const weather = tool({
  description: 'The weather.',
  inputSchema: jsonSchema<{ city: string }>({ type: 'object' }),
  execute: ({ city }) => ({ city, celsius: 20 }),
});
const tools = { ...ours, weather };
// TypeScript forgets beside a named member that there may be others, so their names need a set that says so.
const named: ToolSet = tools;

const prompt = 'Look.';
const stopWhen = stepCountIs(5);
await generateText({ model, prompt, stopWhen, tools: ours });
await generateText({ model, prompt, stopWhen, tools: ours, activeTools: ['add'] });
await generateText({
  model,
  prompt,
  tools: named,
  prepareStep: ({ steps }) => (steps.length > 2 ? { activeTools: ['add', 'weather'] } : {}),
  ${sdk === 7 ? "toolApproval: { add: 'user-approval', weather: 'approved' }," : ''}
});
const { toolCalls } = await generateText({ model, prompt, tools: { weather, ...ours } });
export const names: string[] = toolCalls.map(({ toolName }) => toolName);
const result = streamText({ model, prompt, stopWhen, tools });
for await (const part of result.fullStream) if (part.type === 'tool-result') console.log(part.output);
const agent = new ${AGENT}({ model, stopWhen, tools });
const { text } = await agent.generate({ prompt });
export const said: string = text;
`;

const NATIVE = { 5: 'v2', 6: 'v3', 7: 'v4' } as const;

// The types of the other pairings are made of the same two halves.
describe.runIf(NATIVE[sdk] === spec)('the types of our tools', () => {
  it('fit those of the AI SDK, beside tools of the app and in agents', { timeout: 60_000 }, () => {
    const blocks = new Map([
      ['run-by-sdk', app("{ runBy: 'sdk' }")],
      ['run-by-model', app('')],
    ]);
    const packages = {
      ai: `test/sdks/node_modules/ai-${sdk}`,
      'responses-loop': spec === 'v2' ? 'src/index.ts' : `src/${spec}.ts`,
    };
    expect(typeErrors(blocks, packages)).toEqual([]);
  });
});

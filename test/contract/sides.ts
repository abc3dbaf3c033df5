import type * as Ai from 'ai';
import { createResponsesProvider } from 'responses-loop';
import type { Model } from './model.js';
import type { HostedTools, Scenario } from './scenarios/scenario.js';

/** Which `@ai-sdk/openai` stands on the other side. */
export type Major = 2 | 3 | 4;

const BASE_URL = 'https://contract.invalid/v1';
const API_KEY = 'sk-contract';

/** The stock package as it is imported; its majors differ in types that nothing here reads. */
export type CreateStock = (settings: object) => {
  responses(modelId: string): unknown;
  readonly tools: object;
};

/** One of the two providers. */
export type Side = (fetch: typeof globalThis.fetch, modelId?: string) => Model;

/** What is called of the SDK; its majors stand in different places, so whoever runs the suite brings it. */
export type Sdk = Pick<typeof Ai, 'generateText' | 'jsonSchema' | 'stepCountIs' | 'streamText'>;

/** Both, and the words they are asked in. */
export interface Sides {
  readonly major: Major;
  readonly ai: Sdk;
  readonly stock: Side;
  readonly ours: Side;
  /** Declarations of the tools that the server runs: there is only one way to write them. */
  readonly hosted: HostedTools;
}

const MODEL = 'gpt-5.1';

export function createSides(major: Major, ai: Sdk, createStock: CreateStock): Sides {
  const settings = { baseURL: BASE_URL, apiKey: API_KEY };
  return {
    major,
    ai,
    stock: (fetch, modelId = MODEL) => createStock({ ...settings, fetch }).responses(modelId) as Model,
    ours: (fetch, modelId = MODEL) =>
      createResponsesProvider({ ...settings, fetch, backend: 'openai' })(modelId) as Model,
    hosted: createStock({ ...settings }).tools as HostedTools,
  };
}

/** The call's tools in the words of the specification. */
export function declared(
  { tools, hosted = {} }: Pick<Scenario, 'tools' | 'hosted'>,
  { hosted: make }: Sides,
): object[] {
  const functions = tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters,
  }));
  const others = Object.entries(hosted).flatMap(([name, create]) => {
    const tool = create(make);
    return tool === undefined ? [] : [{ type: tool['type'], id: tool['id'], name, args: tool['args'] }];
  });
  return [...functions, ...others];
}

import type { JSONValue, LanguageModel, ModelMessage, ToolSet } from 'ai';
import { isRecord } from '../../src/util/guards.js';
import { errorFacts, type Facts, factsOf } from './facts.js';
import type { Scenario } from './scenarios/scenario.js';
import type { Model } from './model.js';
import { inWordsOf, type Sides } from './sides.js';

type Loose = Record<string, unknown>;

/** The same through `streamText`, with the SDK running the tools. */
export async function observeStreamText(model: Model, scenario: Scenario, sides: Sides): Promise<Facts> {
  const errors: unknown[] = [];
  const result = sides.ai.streamText({
    ...callOf(model, scenario, sides),
    onError: ({ error }) => void errors.push(errorFacts(error)),
  });
  const chunks: string[] = [];
  const order: string[] = [];
  const read = await settled(async () => {
    for await (const part of result.fullStream as AsyncIterable<Loose>) {
      const type = String(part['type']);
      if (type === 'text-delta') chunks.push(String(part['text']));
      if (!type.endsWith('-delta') || order.at(-1) !== type) order.push(type);
    }
    return {};
  });
  // What is asked of the result now would never settle.
  if (read['rejects'] !== undefined) return { breaks: read['rejects'], onError: errors };
  return {
    ...(await settled(async () => factsOfSteps(await result.steps))),
    chunks,
    order: order.join(' '),
    onError: errors,
  };
}

/** And through `generateText`. */
export async function observeGenerateText(model: Model, scenario: Scenario, sides: Sides): Promise<Facts> {
  return settled(async () => {
    const result = await sides.ai.generateText(callOf(model, scenario, sides));
    return { ...factsOfSteps(result.steps), totalUsage: result.totalUsage };
  });
}

async function settled(read: () => Promise<Facts>): Promise<Facts> {
  try {
    return await read();
  } catch (error) {
    return { rejects: errorFacts(error) };
  }
}

/** The call of a turn. */
export function callOf(model: Model, scenario: Scenario, sides: Sides) {
  return {
    model: model as unknown as LanguageModel,
    prompt: 'Ducks?',
    tools: { ...functionsOf(scenario, sides), ...hostedOf(scenario, sides) },
    stopWhen: sides.ai.stepCountIs(scenario.rounds),
    maxRetries: 0,
    ...(scenario.options !== undefined && {
      providerOptions: optionsOf(scenario, sides) as Record<string, Record<string, JSONValue>>,
    }),
  };
}

const optionsOf = ({ options }: Scenario, sides: Sides): unknown =>
  inWordsOf(sides, { providerOptions: options }).providerOptions;

/** Only what the recording ran is run: a tool without `execute` is left to the caller. */
function functionsOf(scenario: Scenario, sides: Sides): ToolSet {
  const declared = Object.fromEntries(
    scenario.tools.map(({ name, parameters, output, ...tool }) => {
      const declaration = { ...inWordsOf(sides, tool), inputSchema: sides.ai.jsonSchema(parameters) };
      const execute = (_input: unknown, { toolCallId }: { toolCallId: string }) =>
        output ?? scenario.outputOf?.(toolCallId) ?? 'none';
      return [name, scenario.rounds > 1 ? { ...declaration, execute } : declaration];
    }),
  );
  return declared as unknown as ToolSet;
}

function hostedOf({ hosted = {} }: Scenario, sides: Sides): ToolSet {
  const made = Object.entries(hosted).map(([name, create]) => [name, create(sides.hosted)] as const);
  return Object.fromEntries(made.filter(([, declaration]) => declaration !== undefined)) as unknown as ToolSet;
}

function factsOfSteps(steps: readonly object[]): Facts {
  return { steps: steps.map((step) => stepFacts(step as Loose)) };
}

function stepFacts(step: Loose): Facts {
  const content = step['content'] as Loose[];
  const response = step['response'] as Loose;
  return {
    ...factsOf({ parts: content.map(fileOf), finish: finishOf(step), response, warnings: step['warnings'] }),
    text: step['text'],
    reasoning: step['reasoningText'],
    messages: outlineOf(response['messages']),
  };
}

function finishOf(step: Loose): Loose {
  return { ...step, finishReason: { unified: step['finishReason'], raw: step['rawFinishReason'] } };
}

/** A generated file is an object of its own. */
function fileOf(part: Loose): Loose {
  return isRecord(part['file'])
    ? { type: 'file', mediaType: part['file']['mediaType'], data: part['file']['base64'] }
    : part;
}

/** Roles and kinds of parts: what they hold stands in the other facts. */
function outlineOf(messages: unknown): unknown {
  return (messages as Loose[]).map(({ role, content }) => {
    const kinds = typeof content === 'string' ? ['text'] : (content as Loose[]).map(({ type }) => type);
    return [role, ...kinds].join(' ');
  });
}

type Result = Awaited<ReturnType<Sides['ai']['generateText']>> | ReturnType<Sides['ai']['streamText']>;

/** As an app would keep them in a store. Of all steps; in `ai` 7 `response` is only the last one's. */
export async function messagesOf(result: Result, { sdk }: Sides): Promise<ModelMessage[]> {
  const messages =
    sdk === 7 ? await (result as unknown as Loose)['responseMessages'] : (await result.response).messages;
  return JSON.parse(JSON.stringify(messages)) as ModelMessage[];
}

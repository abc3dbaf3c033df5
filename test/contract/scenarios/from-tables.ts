import { CALL_OPTIONS } from '../tables/call-options.js';
import { COMBINATIONS } from '../tables/combinations.js';
import { FUNCTION_OPTIONS } from '../tables/function-options.js';
import { HOSTED_TOOLS } from '../tables/hosted-tools.js';
import { MESSAGE_OPTIONS } from '../tables/message-options.js';
import type { Major } from '../sides.js';
import type { RequestScenario } from './requests.js';
import type { Scenario, ScenarioTool } from './scenario.js';

type Loose = Readonly<Record<string, unknown>>;

const HELLO = { role: 'user', content: [{ type: 'text', text: 'Ducks?' }] };
const AND = { role: 'user', content: [{ type: 'text', text: 'And?' }] };
/** With `store: true` both send the same where nothing else is asked for. */
const STORED = { store: true };
const PARAMETERS: ScenarioTool['parameters'] = {
  type: 'object',
  properties: { a: { type: 'number' } },
  required: ['a'],
  additionalProperties: false,
};

const MAJORS: readonly Major[] = [2, 3, 4];
const between = (since: Major = 2, until: Major = 4): Major[] =>
  MAJORS.filter((major) => major >= since && major <= until);

function add(openai?: Loose): ScenarioTool {
  const declared = { name: 'add', description: 'Adds.', parameters: PARAMETERS };
  return openai === undefined ? declared : { ...declared, providerOptions: { openai } };
}

function prompt(openai: Loose, turns: readonly Loose[] = [HELLO]): Loose {
  return { prompt: turns, providerOptions: { openai } };
}

const named = (model: string | undefined): { model?: string } => (model === undefined ? {} : { model });

function optionScenarios(): RequestScenario[] {
  return CALL_OPTIONS.flatMap(({ option, values, wrong, since, model }) =>
    [...values, ...wrong].map((value) => ({
      name: `option ${option}${wrong.includes(value) ? ', wrong' : ''}: ${JSON.stringify(value)}${model === undefined ? '' : ` (${model})`}`,
      call: prompt({ ...STORED, [option]: value }),
      tools: [add()],
      only: between(since),
      ...named(model),
    })),
  );
}

function functionScenarios(): RequestScenario[] {
  return FUNCTION_OPTIONS.map(({ name, options, since, model }) => ({
    name: `function ${name}`,
    call: prompt(STORED),
    tools: [add(options)],
    only: between(since),
    ...named(model),
  }));
}

function hostedScenarios(): RequestScenario[] {
  return HOSTED_TOOLS.map(({ tool, says, name, args, since, until }) => ({
    name: `tool ${tool}: ${says}`,
    call: prompt(STORED),
    hosted: { [name ?? snake(tool)]: (make) => make[tool]?.(args) } satisfies NonNullable<Scenario['hosted']>,
    only: between(since, until),
  }));
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Without `store`: whole items instead of references. */
function messageScenarios(): RequestScenario[] {
  return MESSAGE_OPTIONS.map(({ name, turns, ofFunction, since, model }) => ({
    name: `message, ${name}`,
    call: (major: Major) => prompt({ store: false }, [HELLO, ...turns(major), AND]),
    tools: [add(ofFunction)],
    only: between(since),
    ...named(model),
  }));
}

/** What the tables hold, as calls; names begin with the table they are from. */
export const FROM_TABLES: readonly RequestScenario[] = [
  ...optionScenarios(),
  ...functionScenarios(),
  ...hostedScenarios(),
  ...messageScenarios(),
  ...COMBINATIONS.map((combination) => ({ ...combination, name: `together: ${combination.name}` })),
].map((scenario) => ({ ...scenario, name: `request/${scenario.name}` }));

import type { OutputDescription } from 'responses-loop/testing';

/** What the stand-in answers to one request; a function is told what the tools have said so far. */
export type Round = readonly OutputDescription[] | ((outputs: readonly string[]) => readonly OutputDescription[]);

const says = (text: string): OutputDescription => ({ type: 'text', text });
const calls = (name: string, args = {}): OutputDescription => ({ type: 'call', name, arguments: args });

/** Quotes the tools, so that a wrong or missing result shows in the answer. */
const quotes: Round = (outputs) => [says(`My tools say: ${outputs.join('; ')}`)];

const COUNTED: readonly Round[] = [[calls('count_ducks', { pond: 'north' })], quotes];

/** A whole conversation for each example. A live model finds its own way. */
export const ROUNDS = {
  stream: [[says('Let me count. '), calls('count_ducks', { pond: 'north' })], quotes],
  generate: [
    [calls('count_ducks', { pond: 'north' }), calls('count_ducks', { pond: 'south' })],
    [calls('add', { a: 4, b: 38 })],
    quotes,
  ],
  'mcp-transports': [[calls('north__count_ducks'), calls('south__count_ducks'), calls('east__count_ducks')], quotes],
  'mcp-app': [[calls('show_cart')], quotes],
  registry: [[says('Quack.')], [says('Quack.')], [says('Quack.')]],
  'record-and-replay': COUNTED,
  approval: [[calls('look')], [calls('feed'), calls('drain')], quotes],
  observability: COUNTED,
  'structured-output': [
    [says('Let me count them all. '), calls('count_ducks', { pond: 'north' }), calls('count_ducks', { pond: 'south' })],
    (outputs) => {
      const [north, south] = outputs.map(Number);
      return [says(JSON.stringify({ north, south, most: Number(north) > Number(south) ? 'north' : 'south' }))];
    },
  ],
  // Four calls.
  'feature-flag': [...COUNTED, ...COUNTED, ...COUNTED, ...COUNTED],
} satisfies Record<string, readonly Round[]>;

export type Title = keyof typeof ROUNDS;

import { createOpenAI } from '@ai-sdk/openai';
import { withStockFallback } from 'responses-loop';
import {
  errorReply,
  type OutputDescription,
  responseBody,
  type ResponseDescription,
  responseEvents,
  type ScriptedAnswer,
  type ScriptedRequest,
} from 'responses-loop/testing';
import type { CallOptions, Played, Story } from './play.js';

type Turn = Omit<ResponseDescription, 'id'> | { readonly fails: number };

const user = { role: 'user', content: [{ type: 'text', text: 'Go.' }] };
const asks = (): CallOptions => ({ prompt: [user] });
const call = (name: string, x: number | string = 1): OutputDescription => ({
  type: 'call',
  name,
  arguments: typeof x === 'string' ? x : { x },
});
const text = (words: string): OutputDescription => ({ type: 'text', text: words });
const thought = (words: string): OutputDescription => ({
  type: 'reasoning',
  summary: [words],
  encrypted: `sealed-${words}`,
});
const answers: Turn = { output: [text('All is done now.')] };

/** The turn that follows so many rounds of calls; ids depend on nothing else. */
function turns(...list: readonly Turn[]): (request: ScriptedRequest) => ScriptedAnswer {
  return (request) => {
    const turn = roundsIn(request);
    const described = list[Math.min(turn, list.length - 1)] ?? answers;
    if ('fails' in described) return errorReply({ status: described.fails });
    const users = request.input.filter(({ role }) => role === 'user').length;
    const whole = { id: `resp_${users}${turn}`, ...described };
    return request.body['stream'] === true ? responseEvents(whole) : { json: responseBody(whole) };
  };
}

/** How many rounds of the model the conversation holds: outputs, and groups of them, come after each. */
function roundsIn({ input }: ScriptedRequest): number {
  let rounds = 0;
  let isInOutputs = false;
  for (const { type } of input) {
    const isOutput = type === 'function_call_output';
    if (isOutput && !isInOutputs) rounds += 1;
    isInOutputs = isOutput;
  }
  return rounds;
}

/** Breaks off in its text when it is first streamed; asked to go on, the model begins anew. */
const breaksOff: Story['answer'] = (request) => {
  const wasBroken = request.input.some(({ role }) => role === 'assistant');
  if (request.body['stream'] !== true || wasBroken) return lays(request);
  const events = responseEvents({ id: 'resp_00', output: [{ type: 'text', text: ['I lay it ', 'down.'] }] });
  const at = events.findLastIndex(({ type }) => type === 'response.output_text.delta');
  return { events: events.slice(0, at), ending: 'reset' };
};
const lays = turns({ output: [text('I lay it down.'), call('put'), call('look')] }, answers);

export const STORIES: readonly Story[] = [
  { name: 'an answer alone', answer: turns({ output: [thought('Hm.'), text('Hello to you.')] }), calls: [asks] },
  {
    name: 'rounds of every kind of tool',
    answer: turns(
      { output: [thought('First.'), text('I look.'), call('look'), call('look', 2)] },
      { output: [call('put'), call('set'), call('look', 3)] },
      answers,
    ),
    tools: { look: 'read', set: 'idempotent', put: 'write' },
    calls: [asks],
  },
  {
    name: 'a text that breaks off and goes on, with tools behind it',
    answer: breaksOff,
    tools: { look: 'read', put: 'write' },
    settings: { retry: { maxContinuations: 1 } },
    calls: [asks],
  },
  {
    name: 'several tools at once, by number',
    answer: turns({ output: [call('slow'), call('put'), call('slow', 2), call('put', 2)] }, answers),
    tools: { slow: 'slow', put: 'write' },
    settings: { toolConcurrency: 3 },
    calls: [asks],
  },
  {
    name: 'tools that fail, broken arguments, and a tool that is not there',
    answer: turns({ output: [call('bad'), call('look', '{"x":'), call('nowhere'), call('look')] }, answers),
    tools: { bad: 'failing', look: 'read' },
    calls: [asks],
  },
  {
    name: 'a round shared with a tool of the caller’s',
    answer: turns({ output: [text('Both.'), call('look'), call('mine'), call('put')] }, answers),
    tools: { look: 'read', put: 'write' },
    calls: [() => ({ prompt: [user], tools: [clientTool] })],
  },
  {
    name: 'approvals by the app',
    answer: turns({ output: [call('look'), call('put', 7), call('put'), call('look', 2)] }, answers),
    tools: { look: 'read', put: 'write' },
    settings: {
      approve: async ({ readOnly, arguments: args }) => {
        await new Promise((resolve) => setTimeout(resolve, readOnly ? 3 : 0));
        if (args['x'] === 7) return { approved: false, reason: 'Not seven.' };
        return { approved: true, arguments: { x: 40 } };
      },
    },
    calls: [asks],
  },
  {
    name: 'approvals by the user, then the next call',
    answer: turns({ output: [call('look'), call('put'), call('look', 2)] }, answers),
    tools: { look: 'read', put: 'write' },
    settings: { approve: ({ arguments: args }) => (args['x'] === 2 ? true : 'ask') },
    calls: [asks, approved],
    only: ['v3', 'v4'],
  },
  {
    name: 'the limit of rounds',
    answer: turns({ output: [call('look', 1)] }, { output: [call('look', 2)] }, answers),
    tools: { look: 'read' },
    settings: { maxRounds: 2 },
    calls: [asks],
  },
  {
    name: 'the limit of runs',
    answer: turns({ output: [call('put', 1), call('look', 2), call('look', 3)] }, answers),
    tools: { look: 'read', put: 'write' },
    settings: { maxToolCalls: 2 },
    calls: [asks],
  },
  {
    name: 'a server that fails in a later round',
    answer: turns({ output: [call('put')] }, { fails: 500 }),
    tools: { put: 'write' },
    calls: [asks],
  },
  { name: 'a server that refuses', answer: turns({ fails: 400 }), calls: [asks] },
  {
    name: 'a stream that breaks off',
    answer: turns({ output: [call('look')] }, { output: [text('Half of'), call('look', 2)], status: 'none' }),
    tools: { look: 'read' },
    calls: [asks],
  },
  {
    name: 'an answer in JSON after a preamble',
    answer: turns({ output: [text('Let me see.'), call('look')] }, { output: [text('{"a": 1}')] }),
    tools: { look: 'read' },
    calls: [() => ({ prompt: [user], responseFormat: { type: 'json' } })],
  },
  {
    name: 'tools that are not shown',
    answer: turns({ output: [text('Now.'), call('look'), call('mine')] }, answers),
    tools: { look: 'read' },
    settings: { toolParts: 'none' },
    calls: [() => ({ prompt: [user], tools: [clientTool] })],
  },
  {
    name: 'calls in a wrapper',
    answer: turns(
      {
        output: [
          {
            type: 'call',
            name: 'multi_tool_use.parallel',
            arguments: {
              tool_uses: [
                { recipient_name: 'functions.look', parameters: { x: 1 } },
                { recipient_name: 'functions.put', parameters: { x: 2 } },
              ],
            },
          },
        ],
      },
      answers,
    ),
    tools: { look: 'read', put: 'write' },
    calls: [asks],
  },
  {
    name: 'more calls than a round may make',
    isOwn: true,
    answer: turns({ output: [text('Many.'), call('look'), call('look', 2), call('look', 3)] }),
    tools: { look: 'read' },
    settings: { limits: { callsPerRound: 2 } },
    calls: [asks],
  },
  {
    name: 'more calls than a round may make, begun at once',
    isOwn: true,
    answer: turns({ output: [call('look'), call('look', 2), call('look', 3)], interleaveCalls: true }),
    tools: { look: 'read' },
    settings: { limits: { callsPerRound: 2 } },
    calls: [asks],
  },
  {
    name: 'what the server does itself, beside tools of ours',
    answer: turns(
      {
        output: [
          {
            type: 'item',
            item: {
              id: 'ws_1',
              type: 'web_search_call',
              status: 'completed',
              action: { type: 'search', query: 'ducks' },
            },
          },
          {
            type: 'text',
            text: 'Seen there.',
            annotations: [
              { type: 'url_citation', url: 'https://example.com/', title: 'E', start_index: 0, end_index: 4 },
            ],
          },
          call('look'),
        ],
      },
      answers,
    ),
    tools: { look: 'read' },
    calls: [() => ({ prompt: [user], tools: [webSearch] })],
  },
  {
    name: 'responses in the background',
    answer: turns({ output: [call('look'), call('put')] }, answers),
    tools: { look: 'read', put: 'write' },
    calls: [() => ({ prompt: [user], providerOptions: { openai: { background: true } } })],
  },
  {
    name: 'two calls of the AI SDK, one after the other',
    answer: turns({ output: [call('look'), call('put')] }, answers),
    tools: { look: 'read', put: 'write' },
    calls: [asks, () => ({ prompt: [user, { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] }, user] })],
  },
  {
    name: 'the stock provider in our place',
    answer: turns({ output: [text('Yes.'), call('look'), call('put')] }, answers),
    tools: { look: 'read', put: 'write' },
    calls: [asks],
    only: ['v2'],
    modelOf: fallback(() => true),
  },
  {
    name: 'the stock provider after a failure',
    answer: (request) =>
      request.headers['x-stock'] === undefined && roundsIn(request) === 0
        ? errorReply({ status: 500 })
        : turns({ output: [call('look'), call('put')] }, answers)(request),
    tools: { look: 'read', put: 'write' },
    calls: [asks],
    only: ['v2'],
    modelOf: fallback(() => false),
  },
];

const webSearch = { type: 'provider-defined', id: 'openai.web_search', name: 'web_search', args: {} };
const clientTool = { type: 'function', name: 'mine', inputSchema: { type: 'object', properties: {} } };

function fallback(useStock: () => boolean): NonNullable<Story['modelOf']> {
  return (primary, fetch) => {
    const stock = createOpenAI({ baseURL: 'http://localhost/v1', apiKey: 's', headers: { 'x-stock': '1' }, fetch });
    return withStockFallback({ primary, stock, useStock, fallOver: true })('gpt-5-test');
  };
}

/** What the AI SDK sends once the user has said yes to all. */
function approved([first]: readonly Played[]): CallOptions {
  const parts = first?.parts ?? [];
  const content = parts.flatMap((part): object[] => {
    const { type, toolCallId, toolName, input, providerMetadata } = part;
    const named = { toolCallId, toolName, providerOptions: providerMetadata, providerExecuted: true };
    if (type === 'tool-call') return [{ type, ...named, input: JSON.parse(String(input)) as unknown }];
    if (type === 'tool-result') return [{ type, ...named, output: { type: 'json', value: part['result'] } }];
    return [];
  });
  const requests = parts.filter(({ type }) => type === 'tool-approval-request');
  const yes = requests.map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved: true }));
  return { prompt: [user, { role: 'assistant', content }, { role: 'tool', content: yes }] };
}

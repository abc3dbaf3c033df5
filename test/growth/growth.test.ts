import { describe, expect, it } from 'vitest';
import { createResponsesProvider } from 'responses-loop';
import { textOutput } from '../../src/core/message.js';
import { type CallOptions, userPrompt } from '../acceptance/support/parts.js';
import { RunView } from '../../src/loop/run-view.js';
import { InputTrimmer } from '../../src/request/trim-input.js';
import { ToolSearch } from '../../src/search/search-ring.js';
import { overridesFor } from '../../src/settings/model-settings.js';
import { denialText } from '../../src/tools/call/approval.js';
import { questionOf } from '../../src/tools/question/question-of.js';
import { mapContentResult } from '../../src/tools/map-content-result.js';
import { withOpened } from '../../src/tools/open-tools.js';
import { createToolFilter } from '../../src/tools/mcp/tool-filter.js';
import { checkArguments } from '../../src/tools/schema/check-arguments.js';
import { toolsetOf } from '../search/support/tools.js';
import { callTool, toolNamed } from '../tools/support/call.js';
import type { InputItem } from '../../src/wire/input-item.js';
import { spellText } from '../../src/util/spell-text.js';
import { growthOf } from './count-steps.js';
import {
  called,
  completed,
  created,
  encode,
  exchange,
  functionCall,
  item,
  list,
  stockTalk,
  talk,
  text,
  type Wire,
} from './support.js';

/**
 * What a peer can have more of. Steps at n and at 4 n are compared, limits raised: they may grow with the 1.3rd power of
 * n at most. What is slow to set up is counted at a smaller n. The bytes of a history, which every round has to send whole,
 * are the one thing that may grow with the square: there is no row of rounds.
 */
interface Row {
  readonly n?: number;
  readonly run: (n: number) => unknown;
}

const execute = (): string => 'done';
const writing = { tools: { t: { execute } } };
const reading = { tools: { t: { execute, readOnly: true } } };
const clientTool = { type: 'function', name: 't', inputSchema: { type: 'object', properties: {} } } as const;
const named = { param: 'top_p', code: 'unknown_parameter' };
const json = { responseFormat: { type: 'json' } } as const;
const reasoning = (n: number, delta: string): Wire => ({
  type: 'response.reasoning_summary_text.delta',
  output_index: 0,
  summary_index: n,
  delta,
});
const message = (content: readonly Wire[]): Wire => ({ type: 'message', id: 'm0', role: 'assistant', content });
const argumentsDelta = (delta: string): Wire => ({
  type: 'response.function_call_arguments.delta',
  output_index: 0,
  delta,
});
const history = (n: number, idOf: (at: number) => string): CallOptions['prompt'] =>
  list(n, (at) => [
    {
      role: 'assistant' as const,
      content: [{ type: 'tool-call' as const, toolCallId: idOf(at), toolName: 't', input: { at } }],
    },
    {
      role: 'tool' as const,
      content: [
        {
          type: 'tool-result' as const,
          toolCallId: idOf(at),
          toolName: 't',
          output: { type: 'text' as const, value: 'x' },
        },
      ],
    },
  ]).flat();
const schema = { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } };

const ROWS: Readonly<Record<string, Row>> = {
  'tools that are searched for': {
    n: 100,
    run: async (n) => {
      const tools = Object.fromEntries(
        list(n, (at) => [`tool_${at}`, { description: `Does the ${at}th thing.`, deferLoading: true }]),
      );
      const toolset = await new ToolSearch().keepBack(await toolsetOf(tools), { clientNames: [], goesOn: false });
      await callTool(toolNamed(toolset, 'search_tools'), { query: 'thing', limit: 20 });
      await withOpened(
        toolset,
        list(n, (at) => ({ call: { name: `tool_${at}` }, output: textOutput('x') })),
      );
    },
  },
  'text deltas': { run: (n) => talk({ events: list(n, () => text('a')), chunks: 'each' }) },
  'text deltas in one chunk': { run: (n) => talk({ events: list(n, () => text('a')) }) },
  'argument deltas': {
    run: (n) =>
      talk({
        events: [
          item(0, functionCall(0, { arguments: '' }), 'added'),
          ...list(n, () => argumentsDelta(' ')),
          called(0),
        ],
        chunks: 'each',
        settings: writing,
      }),
  },
  'characters of one event': { run: (n) => talk({ events: [text('a'.repeat(100 * n))] }) },
  'chunks of one event': {
    run: (n) => {
      const event = encode(text('a'.repeat(16 * n)));
      const chunks = list(n, (at) => event.slice(at * 16, (at + 1) * 16));
      return exchange([[encode(created), ...chunks, event.slice(n * 16), encode(completed)]]);
    },
  },
  'events that are no JSON': {
    run: (n) => exchange([[encode(created), 'data: {x\n\n'.repeat(n), encode(text('ok')), encode(completed)]]),
  },
  'read-only calls in a round': { run: (n) => talk({ events: list(n, (at) => called(at)), settings: reading }) },
  'read-only calls announced at once and completed from the last to the first': {
    run: (n) =>
      talk({
        events: [
          ...list(n, (at) => item(at, functionCall(at, { arguments: '' }), 'added')),
          ...list(n, (at) => called(n - 1 - at)),
        ],
        settings: reading,
      }),
  },
  'values that a generator yields': {
    run: (n) => {
      async function* walk(): AsyncGenerator<number> {
        for (let at = 0; at < n; at += 1) yield at;
      }
      return talk({ events: [called(0)], settings: { tools: { t: { execute: walk } } } });
    },
  },
  'steps of a run that is shown': {
    run: async (n) => {
      let now = 0;
      const view = new RunView({ callNumber: 1, limits: {}, now: () => (now += 10_000) }, () => {});
      for (let progress = 0; progress < n; progress += 1) {
        view.note({ progress });
        await view.take();
      }
      view.end();
    },
  },
  'previews of one call in the history': {
    run: (n) =>
      exchange(
        [[encode(created), encode(text('ok')), encode(completed)]],
        {},
        {
          prompt: [
            {
              role: 'assistant',
              content: [
                { type: 'tool-call', toolCallId: 'call', toolName: 't', input: {} },
                ...list(n, (at) => ({
                  type: 'tool-result' as const,
                  toolCallId: 'call',
                  toolName: 't',
                  output: { type: 'text' as const, value: String(at) },
                })),
              ],
            },
          ],
        },
      ),
  },
  'calls that change data, all in one round': {
    run: (n) => talk({ events: list(n, (at) => called(at)), settings: writing }),
  },
  'calls of the same arguments with ever other outputs': {
    run: (n) => {
      let count = 0;
      const counter = { execute: () => String((count += 1)), readOnly: true };
      const events = list(n, (at) => called(at, { arguments: '{}' }));
      return talk({ events, settings: { tools: { t: counter } } });
    },
  },
  'client calls in a round': {
    run: (n) => talk({ events: list(n, (at) => called(at)), options: { tools: [clientTool] } }),
  },
  'hidden calls beside client calls, with texts and reasoning between them': {
    run: (n) =>
      talk({
        events: list(n, (at) => at).flatMap((at) => [
          called(4 * at),
          called(4 * at + 1, { name: 'ours' }),
          item(4 * at + 2, { ...message([{ type: 'output_text', text: 'a', annotations: [] }]), id: `m${at}` }),
          item(4 * at + 3, { type: 'reasoning', id: `rs${at}`, summary: [], encrypted_content: 'sealed' }),
        ]),
        options: { tools: [clientTool] },
        settings: { tools: { ours: { execute, readOnly: true } }, toolParts: 'none' },
      }),
  },
  'client calls that the response answers': {
    run: (n) =>
      talk({
        events: list(n, (at) => at).flatMap((at) => [
          called(2 * at),
          item(2 * at + 1, { type: 'function_call_output', call_id: `c${2 * at}`, output: 'x' }),
        ]),
        options: { tools: [clientTool] },
      }),
  },
  'calls in a wrapper': {
    run: (n) => {
      const uses = list(n, (at) => ({ recipient_name: 'functions.t', parameters: { at } }));
      const wrapper = { name: 'multi_tool_use.parallel', arguments: JSON.stringify({ tool_uses: uses }) };
      return talk({ events: [called(0, wrapper)], settings: writing });
    },
  },
  'unanswered calls': {
    run: (n) =>
      talk({ events: list(n, (at) => item(at, functionCall(at, { arguments: '' }), 'added')), settings: writing }),
  },
  'calls that are cut off': {
    run: (n) =>
      talk({
        events: list(n, (at) => called(at, { name: `t${at}`, arguments: '{', status: 'incomplete' })),
        settings: writing,
      }),
  },
  'ends of arguments that do not parse, said again': {
    run: (n) =>
      talk({
        events: [
          item(0, functionCall(0, { arguments: '' }), 'added'),
          ...list(n, () => argumentsDelta('[1,')),
          ...list(n, () => ({ type: 'response.function_call_arguments.done', output_index: 0, arguments: '' })),
        ],
        settings: writing,
      }),
  },
  'deltas held back as a preamble': {
    run: (n) => talk({ events: list(n, () => text('a')), settings: writing, options: json }),
  },
  'texts held back, each with a call behind it': {
    run: (n) =>
      talk({
        events: list(n, (at) => at).flatMap((at) => [text('a', 2 * at), called(2 * at + 1)]),
        settings: reading,
        options: json,
      }),
  },
  'blank deltas when JSON is expected': { run: (n) => talk({ events: list(n, () => text(' ')), options: json }) },
  'reasoning sections': { run: (n) => talk({ events: list(n, (at) => reasoning(at, 'a')) }) },
  'items under one output_index': {
    run: (n) => talk({ events: list(n, (at) => item(0, { ...message([]), id: `m${at}` }, 'added')) }),
  },
  'contents of one message': {
    run: (n) => {
      const events = list(n, (at) => text('a', 0, { content_index: at }));
      const contents = list(n, () => ({ type: 'output_text', text: 'a', logprobs: [{ token: 'a' }] }));
      return talk({ events: [...events, item(0, message(contents))] });
    },
  },
  'ends of a text, said again': {
    run: (n) =>
      talk({
        events: list(n, () => text('a')).flatMap((delta) => [
          delta,
          { type: 'response.output_text.done', output_index: 0, item_id: 'm0', text: 'a' },
        ]),
      }),
  },
  'items of unknown kinds': { run: (n) => talk({ events: list(n, (at) => item(at, { type: 'odd', id: `o${at}` })) }) },
  'items never announced': {
    run: (n) =>
      talk({ events: list(n, (at) => item(at, { ...message([{ type: 'output_text', text: 'a' }]), id: `m${at}` })) }),
  },
  'items of the final response alone': {
    run: (n) => {
      const output = list(n, (at) => ({ ...message([{ type: 'output_text', text: 'a' }]), id: `m${at}` }));
      const streamed = list(n, (at) => text('a', at));
      const end = { type: 'response.completed', response: { id: 'r', status: 'completed', output } };
      return exchange([[[created, ...streamed, end].map(encode).join('')]]);
    },
  },
  annotations: {
    run: (n) =>
      talk({
        events: [
          text('a'),
          ...list(n, (at) => ({
            type: 'response.output_text.annotation.added',
            output_index: 0,
            item_id: 'm0',
            annotation: { type: 'url_citation', url: `http://x/${at}` },
          })),
        ],
      }),
  },
  'texts of a history': {
    run: (n) =>
      talk({
        events: [text('ok')],
        options: {
          prompt: list(n, () => [
            { role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] },
            { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'Hello' }] },
          ]).flat(),
        },
      }),
  },
  'calls of a history': {
    run: (n) => talk({ events: [text('ok')], options: { prompt: history(n, (at) => `c${at}`) } }),
  },
  'calls of a history under one id': {
    run: (n) => talk({ events: [text('ok')], options: { prompt: history(n, () => 'c') } }),
  },
  'fields that an error names, of a long request': {
    run: (n) =>
      talk({
        events: [
          { type: 'error', status: 400, errors: list(n, (at) => ({ param: `top_p ${at}`, code: 'x' })), ...named },
        ],
        options: { prompt: history(n, (at) => `c${at}`), topP: 0.9 },
      }),
  },
  'text deltas of the stock provider': {
    run: (n) =>
      stockTalk(
        list(n, () => text('a')),
        {},
      ),
  },
  'calls of the stock provider': {
    run: (n) =>
      stockTalk(
        list(n, (at) => called(at)),
        reading,
      ),
  },
  'tools offered': {
    n: 100,
    run: (n) => talk({ events: [], settings: { tools: Object.fromEntries(list(n, (at) => [`t${at}`, { execute }])) } }),
  },
  'names of tools that clash': {
    n: 100,
    run: (n) => {
      const names = list(n, (at) => `t${String.fromCodePoint(0x4e_00 + at)}`);
      return talk({ events: [], settings: { tools: Object.fromEntries(names.map((name) => [name, { execute }])) } });
    },
  },
  'arguments held against their schema': { run: (n) => checkArguments(schema, Array(n).fill(null)) },
  'blocks of a result that are for the user only': {
    run: (n) =>
      mapContentResult({ content: list(n, () => ({ type: 'text', text: '', annotations: { audience: ['user'] } })) }),
  },
  'rounds whose input maxLoopChars does not find too long': {
    run: (n) => {
      const { shorten } = new InputTrimmer({ maxChars: 1e9, onTrim: () => {}, onStuck: () => {} });
      const items: InputItem[] = [];
      for (const round of list(n, (at) => at)) {
        const fresh: InputItem[] = [{ type: 'function_call_output', call_id: `c${round}`, output: 'done' }];
        items.push(...fresh);
        shorten(items, [fresh], round);
      }
    },
  },
  'levels of what is asked about': {
    n: 1_000,
    run: (n) => questionOf({ tool: 't', arguments: JSON.parse(`${'['.repeat(n)}${']'.repeat(n)}`) }),
  },
  'members of what is asked about': { n: 500, run: (n) => questionOf({ tool: 't', arguments: list(n, (at) => [at]) }) },
  'odd signs of a text that is spelled': { n: 1_000, run: (n) => spellText('\u200b\u3164a\u0301 \n'.repeat(n)) },
  'one odd sign again and again': { n: 1_000, run: (n) => spellText('\u200b'.repeat(n)) },
  'blanks of a text that is spelled': { n: 1_000, run: (n) => spellText(`${' '.repeat(n)}x${'\n'.repeat(n)}x`) },
  'a reason for a denial': { n: 1_000, run: (n) => denialText('t', `${' '.repeat(n)}x`) },
  'a reason for a denial that ends in blanks': { n: 1_000, run: (n) => denialText('t', `x${' .'.repeat(n)}`) },
  'a model id matched against wildcards': {
    n: 100,
    run: (n) => overridesFor(`${'a'.repeat(n)}-chat`, { '*/*/*-chat': {} }),
  },
  'a tool name matched against wildcards': {
    n: 100,
    run: (n) => createToolFilter({ allowTools: ['a*aab*b'] }).admits(`${'a'.repeat(n)}b`),
  },
};

describe('a body that comes in one piece', () => {
  const body = [created, ...list(10_000, () => text('a')), completed].map(encode).join('');

  it('lies ahead of its reader by no more than a slice', async () => {
    const queue = ReadableStreamDefaultController.prototype;
    const enqueue = Reflect.get(queue, 'enqueue') as (...args: unknown[]) => void;
    let longest = 0;
    queue.enqueue = function counted(this: ReadableStreamDefaultController, ...args) {
      Reflect.apply(enqueue, this, args);
      longest = Math.max(longest, 1 - (this.desiredSize ?? 1));
    };
    try {
      await exchange([[body]]);
    } finally {
      queue.enqueue = enqueue;
    }
    expect(longest).toBeGreaterThan(100);
    expect(longest).toBeLessThanOrEqual(257);
  });

  it('may hold more parts than a function takes arguments', async () => {
    const provider = createResponsesProvider({
      apiKey: 'sk-test',
      baseURL: 'http://127.0.0.1:1/v1',
      fetch: async () =>
        new Response(body.replace(encode(completed), encode(text('a')).repeat(150_000) + encode(completed))),
    });
    const { content } = await provider('m').doGenerate({ prompt: userPrompt() });
    expect(content).toEqual([expect.objectContaining({ type: 'text', text: 'a'.repeat(160_000) })]);
  });
});

describe('what a peer has more of costs no more than in proportion', () => {
  it.each(Object.entries(ROWS))('%s', async (_name, { n = 250, run }) => {
    expect(await growthOf(run, n)).toBeLessThanOrEqual(1.3);
  });
});

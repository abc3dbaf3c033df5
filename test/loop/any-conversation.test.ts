import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LanguageModelV2CallOptions } from '@ai-sdk/provider';
import { createResponsesProvider, type ResponsesProviderSettings } from 'responses-loop';
import {
  createScriptedServer,
  responseEvents,
  type ResponseDescription,
  type ScriptedRequest,
  type ScriptedServer,
} from 'responses-loop/testing';
import {
  brokenRules,
  finishOf,
  type Part,
  partsOf,
  readAll,
  roundsOf,
  userPrompt,
} from '../acceptance/support/parts.js';
import { itemsOfType } from '../acceptance/support/wire.js';
import { examples } from '../helpers/nightly.js';

type Kind = 'look' | 'write' | 'fail' | 'ask' | 'nobody';
interface Call {
  readonly kind: Kind;
  readonly broken: boolean;
  readonly callId: string;
}
interface Round {
  readonly calls: readonly Call[];
  readonly talk: boolean;
  readonly think: boolean;
  readonly interleave: boolean;
}

const callOf: fc.Arbitrary<Call> = fc.record({
  kind: fc.constantFrom<Kind>('look', 'look', 'write', 'write', 'fail', 'ask', 'nobody'),
  broken: fc.boolean(),
  callId: fc.constantFrom('call_0', 'call_1', 'call_2', 'call_3', 'call_4'),
});
const roundOf: fc.Arbitrary<Round> = fc.record({
  calls: fc.array(callOf, { minLength: 1, maxLength: 5 }),
  talk: fc.boolean(),
  think: fc.boolean(),
  interleave: fc.boolean(),
});
const settingsOf = fc.record({
  toolConcurrency: fc.constantFrom<'auto' | number>('auto', 1, 3),
  toolParts: fc.constantFrom('all' as const, 'none' as const),
});

/** What each conversation asked, by the name in its header. */
const scripts = new Map<
  string,
  { readonly responses: readonly ResponseDescription[]; readonly requests: ScriptedRequest[] }
>();
let server: ScriptedServer;

beforeAll(async () => {
  server = await createScriptedServer({
    otherwise: (request) => {
      const script = scripts.get(String(request.headers['x-conversation']));
      if (script === undefined) throw new Error('no such conversation');
      script.requests.push(request);
      const response = script.responses[script.requests.length - 1];
      if (response === undefined) throw new Error('a request too many');
      return responseEvents(response);
    },
  });
});
afterAll(async () => {
  await server.close();
});

const numberOf = (round: number, call: number): number => round * 10 + call;

/** All rounds share one response id, as with servers that repeat theirs. */
function describeRound(round: Round, at: number): ResponseDescription {
  return {
    id: 'resp_same',
    interleaveCalls: round.interleave,
    output: [
      ...(round.think ? [{ type: 'reasoning', summary: [`thought ${at}`], encrypted: `sealed ${at}` } as const] : []),
      ...(round.talk ? [{ type: 'text', text: `round ${at} ` } as const] : []),
      ...round.calls.map(({ kind, broken, callId }, call) => {
        const written = JSON.stringify({ n: numberOf(at, call) });
        return { type: 'call', name: kind, arguments: broken ? written.slice(0, -1) : written, callId } as const;
      }),
    ],
  };
}

const asksClient = (round: Round): boolean => round.calls.some(({ kind }) => kind === 'ask');

/** The rounds that are played: up to the first that needs the client. */
function playedRounds(rounds: readonly Round[]): readonly Round[] {
  const at = rounds.findIndex(asksClient);
  return at < 0 ? rounds : rounds.slice(0, at + 1);
}

describe('any conversation', () => {
  it('has one finish, closed parts, unique ids, one output per call in order, and no tool run twice', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(roundOf, { maxLength: 4 }), settingsOf, async (rounds, settings) => {
        number += 1;
        await check(`conversation ${number}`, rounds, settings);
      }),
      { numRuns: examples(30, 300) },
    );
  });
});

async function check(
  name: string,
  rounds: readonly Round[],
  settings: Partial<ResponsesProviderSettings>,
): Promise<void> {
  const played = playedRounds(rounds);
  const mixed = played.some(asksClient);
  const requests: ScriptedRequest[] = [];
  scripts.set(name, {
    requests,
    responses: [...rounds.map(describeRound), { id: 'resp_same', output: [{ type: 'text', text: 'The end.' }] }],
  });
  const ran: number[] = [];
  const parts = await play(name, settings, ran);

  expect(brokenRules(parts)).toEqual([]);
  expect(finishOf(parts).finishReason).toBe(mixed ? 'tool-calls' : 'stop');
  expect(requests).toHaveLength(played.length + (mixed ? 0 : 1));
  const own = played.flatMap((round, at) =>
    round.calls.flatMap(({ kind, broken }, call) =>
      broken || kind === 'ask' || kind === 'nobody' ? [] : [numberOf(at, call)],
    ),
  );
  expect(ran.toSorted((a, b) => a - b)).toEqual(own);
  expect(roundsOf(parts).map((round) => round.calls.length)).toEqual([
    ...played.map((round) => round.calls.length),
    ...(mixed ? [] : [0]),
  ]);
  requests.forEach((request, at) => checkInput(request, played.slice(0, at)));
  expect(partsOf(parts, 'tool-call').filter((part) => part.toolName === 'ask')).toHaveLength(
    mixed ? (played.at(-1)?.calls.filter(({ kind }) => kind === 'ask').length ?? 0) : 0,
  );
}

async function play(name: string, settings: Partial<ResponsesProviderSettings>, ran: number[]): Promise<Part[]> {
  const run = (args: Readonly<Record<string, unknown>>): number => ran.push(Number(args['n']));
  const provider = createResponsesProvider({
    baseURL: server.baseURL,
    backend: 'openai',
    apiKey: 'test',
    headers: { 'x-conversation': name },
    tools: {
      look: { execute: async (args) => `looked ${run(args)}`, readOnly: true },
      write: { execute: (args) => `wrote ${run(args)}` },
      fail: {
        execute: (args) => {
          run(args);
          throw new Error('failed');
        },
      },
    },
    ...settings,
  });
  const ask = {
    type: 'function',
    name: 'ask',
    inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
  } as const;
  const options: LanguageModelV2CallOptions = { prompt: userPrompt(), tools: [ask] };
  return readAll((await provider('gpt-test').doStream(options)).stream);
}

/** Each call of the earlier rounds once, in order, and as many outputs, each for its call. */
function checkInput(request: ScriptedRequest, earlier: readonly Round[]): void {
  const made = itemsOfType(request, 'function_call');
  expect(made.map((item) => item['name'])).toEqual(earlier.flatMap((round) => round.calls.map(({ kind }) => kind)));
  const ids = made.map((item) => item['call_id']);
  expect(new Set(ids).size).toBe(ids.length);
  expect(itemsOfType(request, 'function_call_output').map((item) => item['call_id'])).toEqual(ids);
  expect(itemsOfType(request, 'reasoning')).toHaveLength(earlier.filter(({ think }) => think).length);
}

import type { LanguageModelV2Message, LanguageModelV2StreamPart } from '@ai-sdk/provider';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from '../../../src/settings/settings.js';
import { createScriptedServer, type OutputDescription, responseEvents } from '../../../src/testing.js';
import { stream } from '../../provider/support/talk.js';
import { rig } from './rig.js';
import { LIMIT_REACHED, type SeenRequest, type SocketFault } from './socket-server.js';
import { examples } from '../../helpers/nightly.js';

type Item = Readonly<Record<string, unknown>>;

const FAULTS: readonly SocketFault[] = [
  ({ socket }) => socket.terminate(),
  ({ socket }) => socket.close(1011),
  ({ play, socket }) => {
    play(1);
    socket.terminate();
  },
  ({ play, socket }) => {
    play();
    socket.close(1001);
  },
  ({ send }) => send(LIMIT_REACHED),
  ({ send }) =>
    send({ type: 'error', status: 400, error: { code: 'previous_response_not_found', message: 'Not found.' } }),
  ({ send }) => send({ type: 'error', status: 503, error: { code: 'overloaded', message: 'Later.' } }),
];

/** What a model may say in a round: some of these, then calls of the tool or none. */
const said: fc.Arbitrary<OutputDescription[]> = fc.array(
  fc.oneof(
    fc.constant<OutputDescription>({ type: 'reasoning', text: 'Hm.', encrypted: 'sealed' }),
    fc.string({ maxLength: 5 }).map((text): OutputDescription => ({ type: 'text', text: `t${text}` })),
    fc.constant<OutputDescription>({ type: 'call', name: 'step', arguments: { n: 1 } }),
    fc.constant<OutputDescription>({ type: 'call', name: 'step', arguments: ['{ "n" :', ' 2 }'] }),
    fc.constant<OutputDescription>({ type: 'call', name: 'step', arguments: ['{ broken'] }),
  ),
  { maxLength: 4 },
);

interface Turn {
  readonly rounds: readonly OutputDescription[][];
  readonly edit: 'none' | 'first' | 'answer' | 'cut';
  readonly options: Readonly<Record<string, string>>;
}

const turn: fc.Arbitrary<Turn> = fc.record({
  rounds: fc.array(said, { minLength: 1, maxLength: 3 }),
  edit: fc.constantFrom('none', 'none', 'none', 'first', 'answer', 'cut'),
  options: fc.constantFrom({}, {}, {}, { instructions: 'Be brief.' }, { reasoningEffort: 'low' }),
});

describe('whatever is said, edited and broken', () => {
  it('the server has in mind what the whole request says, reasoning aside', async () => {
    const faults = fc.dictionary(fc.nat(10).map(String), fc.constantFrom(...FAULTS), { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), faults, async (turns, broken) => {
        let round = 0;
        let script: readonly OutputDescription[][] = [];
        const whole: Item[][] = [];
        const pairs: [unknown[], unknown[]][] = [];
        const transformRequest: ResponsesProviderSettings['transformRequest'] = ({ body }) => {
          whole.push(body['input'] as Item[]);
        };
        const model = (context: SeenRequest['context']): readonly OutputDescription[] => {
          // One call at a time: the latest body is the one that this request stands for.
          pairs.push([plain(context), plain(whole.at(-1) ?? [])]);
          round += 1;
          return script[round - 1] ?? [{ type: 'text', text: 'End.' }];
        };
        await using talk = await rig({ model, faults: broken }, { transformRequest });
        let prompt: LanguageModelV2Message[] = [];
        for (const { rounds, edit, options } of turns) {
          script = rounds;
          round = 0;
          prompt = [...edited(prompt, edit), { role: 'user', content: [{ type: 'text', text: `Q${prompt.length}` }] }];
          const parts = await stream(talk, { prompt, providerOptions: { openai: { ...options } } }).catch(() => []);
          prompt = [...prompt, ...answerOf(parts)];
        }
        expect(pairs.length).toBeGreaterThanOrEqual(turns.length);
        for (const [known, meant] of pairs) expect(known).toEqual(meant);
      }),
      { numRuns: examples(50, 300) },
    );
  }, 120_000);

  it('a cut behind any event shows the parts that the same cut shows over HTTP', async () => {
    await fc.assert(
      fc.asyncProperty(said, fc.nat(30), fc.constantFrom('close', 'drop'), async (output, at, how) => {
        const description = { id: 'resp_1', output };
        const events = responseEvents(description);
        const cut = Math.min(at, events.length - 1);
        const fault: SocketFault = ({ play, socket }) => {
          play(cut);
          if (how === 'close') socket.close(1011);
          else socket.terminate();
        };
        const settings: ResponsesProviderSettings = { retry: { maxRetries: 0 }, tools: {} };
        await using overSocket = await rig({ model: () => output, faults: { 0: fault, 1: fault } }, settings);
        const numbered = events.slice(0, cut).map((event, index) => ({ ...event, sequence_number: index }));
        const server = await createScriptedServer({ steps: [{ events: numbered, ending: 'reset' }] });
        await using overHttp = await rig({}, { ...settings, transport: 'sse', baseURL: server.baseURL });
        // Without any event a socket is given up, and HTTP is asked.
        if (cut > 0) expect(await outcome(overSocket)).toEqual(await outcome(overHttp));
        await server.close();
      }),
      { numRuns: examples(20, 120) },
    );
  }, 120_000);

  it('a cut in a later round, which goes on from what the server knows, shows what the same cut shows over HTTP', async () => {
    const calls: OutputDescription[] = [{ type: 'call', name: 'step', arguments: { n: 1 }, callId: 'call_1' }];
    const numbered = (id: string, output: readonly OutputDescription[]) =>
      responseEvents({ id, output }).map((event, index) => ({ ...event, sequence_number: index }));
    await fc.assert(
      fc.asyncProperty(
        said,
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom('close', 'drop'),
        async (output, at, how) => {
          const events = numbered('resp_2', output);
          const cut = Math.min(at, events.length - 1);
          const fault: SocketFault = ({ play, socket }) => {
            play(cut);
            if (how === 'close') socket.close(1011);
            else socket.terminate();
          };
          const settings: ResponsesProviderSettings = { retry: { maxRetries: 0 } };
          let rounds = 0;
          const model = () => ((rounds += 1) === 1 ? calls : output);
          await using overSocket = await rig({ model, faults: { 1: fault } }, settings);
          const server = await createScriptedServer({
            steps: [{ events: numbered('resp_1', calls) }, { events: events.slice(0, cut), ending: 'reset' }],
            otherwise: 'Beyond.',
          });
          await using overHttp = await rig({}, { ...settings, transport: 'sse', baseURL: server.baseURL });
          expect(await outcome(overSocket)).toEqual(await outcome(overHttp));
          expect(overSocket.server.requests[1]?.body['previous_response_id']).toBe('resp_1');
          await server.close();
        },
      ),
      { numRuns: examples(15, 80) },
    );
  }, 120_000);
});

/** The parts; of an error only what kind it is. */
async function outcome(talk: Parameters<typeof stream>[0]): Promise<unknown> {
  const codeOf = (error: unknown) => ({ code: (error as { code?: unknown }).code });
  try {
    const parts = await stream(talk);
    const alike = parts.map((part) => (part.type === 'error' ? { type: 'error', error: codeOf(part.error) } : part));
    // The two servers have ports of their own.
    return JSON.stringify(alike).replaceAll(/"origin":"[^"]*"/g, '"origin":""');
  } catch (error) {
    return codeOf(error);
  }
}

function edited(prompt: LanguageModelV2Message[], edit: Turn['edit']): LanguageModelV2Message[] {
  if (edit === 'cut') return prompt.slice(0, -2);
  if (edit === 'answer') return prompt.at(-1)?.role === 'assistant' ? prompt.slice(0, -1) : prompt;
  if (edit === 'none' || prompt.length === 0) return prompt;
  return [{ role: 'user', content: [{ type: 'text', text: 'Edited' }] }, ...prompt.slice(1)];
}

/** What the AI SDK makes of the parts, as far as it matters here. */
function answerOf(parts: readonly LanguageModelV2StreamPart[]): LanguageModelV2Message[] {
  type Content = Extract<LanguageModelV2Message, { role: 'assistant' }>['content'][number];
  const content: Content[] = [];
  for (const part of parts) {
    const last = content.at(-1);
    const meta = 'providerMetadata' in part && part.providerMetadata ? { providerOptions: part.providerMetadata } : {};
    if (part.type === 'text-start' || part.type === 'reasoning-start')
      content.push({ type: part.type === 'text-start' ? 'text' : 'reasoning', text: '', ...meta });
    if (
      (part.type === 'text-delta' || part.type === 'reasoning-delta') &&
      (last?.type === 'text' || last?.type === 'reasoning')
    )
      content[content.length - 1] = { ...last, text: last.text + part.delta };
    if (
      (part.type === 'text-end' || part.type === 'reasoning-end') &&
      (last?.type === 'text' || last?.type === 'reasoning')
    )
      content[content.length - 1] = { ...last, ...meta };
  }
  return content.length === 0 ? [] : [{ role: 'assistant', content }];
}

/** Items as both sides write them: without ids, statuses and reasoning; each output behind its call. */
function plain(items: readonly Item[] | SeenRequest['context']): unknown[] {
  const isOutput = ({ type }: Item): boolean => type === 'function_call_output';
  return items
    .filter((item) => item['type'] !== 'reasoning' && !isOutput(item))
    .flatMap((item) => [item, ...items.filter((other) => isOutput(other) && other['call_id'] === item['call_id'])])
    .map((item) => {
      if (item['type'] !== 'message') {
        const { id: _id, status: _status, ...rest } = item;
        return JSON.stringify(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)));
      }
      const content = item['content'];
      const texts = Array.isArray(content)
        ? content.map((part: { text?: string }) => part.text ?? '').join('')
        : content;
      return `${String(item['role'])}: ${String(texts)}`;
    });
}

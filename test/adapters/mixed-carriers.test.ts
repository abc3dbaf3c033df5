import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ResponseDescription, scriptedFetch } from 'responses-loop/testing';
import type { ResponsesProviderSettings } from 'responses-loop';
import type { JsonObject, JsonValue } from '../../src/core/json.js';
import { answer, type AnyPart, type Method, user, type Version, VERSIONS } from '../acceptance/support/any-version.js';
import { outline } from '../acceptance/support/wire.js';

type Item = NonNullable<ResponseDescription['output']>[number];
type Kind = 'ours' | 'theirs' | 'text' | 'reasoning' | 'search';

const askSchema = { type: 'object', properties: { n: { type: 'number' } } } as const;
const ask = { type: 'function', name: 'theirs', inputSchema: askSchema } as const;
const tools = { ours: { inputSchema: askSchema, execute: ({ n }: Record<string, unknown>) => `ours ${String(n)}` } };

function toItem(kind: Kind, n: number): Item {
  if (kind === 'text') return { type: 'text', text: `Text ${n}.` };
  if (kind === 'reasoning') return { type: 'reasoning', summary: [], encrypted: `sealed ${n}` };
  // Nobody declares it, so no part shows it.
  if (kind === 'search') return { type: 'item', item: { type: 'web_search_call', status: 'completed', query: `${n}` } };
  return { type: 'call', name: kind, arguments: { n }, callId: `call_${n}` };
}

/** Stream parts or the content of a result, as the assistant message of the next prompt. */
function toMessage(parts: readonly AnyPart[]): AnyPart[] {
  const open = new Map<string, Spoken>();
  return parts.flatMap((part): (AnyPart | Spoken)[] => {
    const providerOptions = part['providerMetadata'] ?? {};
    const [type = '', place] = part.type.split(/-(?=start|delta|end)/);
    if (type === 'text' || type === 'reasoning') {
      const spoken = open.get(textOf(part['id'])) ?? { type, text: textOf(part['text']), providerOptions };
      if (place === 'delta') spoken['text'] += textOf(part['delta']);
      if (place === 'end') spoken.providerOptions = providerOptions;
      if (place === 'start') open.set(textOf(part['id']), spoken);
      return place === undefined || place === 'start' ? [spoken] : [];
    }
    const { toolCallId = '', toolName = '', providerExecuted = false } = part;
    const call = { toolCallId, toolName, providerExecuted, providerOptions };
    if (type === 'tool-call') return [{ type, ...call, input: JSON.parse(textOf(part['input'])) as JsonObject }];
    if (type !== 'tool-result') return [];
    return [{ type, ...call, output: { type: 'text', value: part['result'] ?? '' } }];
  });
}

type Spoken = { type: string; text: string; providerOptions: JsonValue };

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What frameworks do with a message: the table "who keeps what", column by column. */
const LOSSES: Record<string, (message: readonly AnyPart[]) => AnyPart[]> = {
  'the AI SDK and Mastra keep all': (message) => [...message],
  'OpenAI Agents SDK drops the metadata of texts': without((part) => part.type === 'text'),
  'VoltAgent drops empty reasoning': (message) =>
    message.filter((part) => part.type !== 'reasoning' || part['text'] !== ''),
  'a framework that keeps nothing but calls': (message) =>
    without((part) => part.type !== 'tool-call')(message).filter((part) => part.type !== 'reasoning'),
};

/** Some give calls ids of their own. */
const renamed = (message: readonly AnyPart[]): AnyPart[] =>
  message.map((part) =>
    part.type === 'tool-call' ? { ...part, toolCallId: `own_${textOf(part['toolCallId'])}` } : part,
  );

function without(loses: (part: AnyPart) => boolean) {
  return (message: readonly AnyPart[]): AnyPart[] =>
    message.map((part) => (loses(part) ? { ...part, providerOptions: {} } : part));
}

interface Played {
  readonly version: Version;
  readonly method: Method;
  readonly settings: ResponsesProviderSettings;
  readonly lose: (message: readonly AnyPart[]) => AnyPart[];
}

/** The wire's view of a round of both, one turn later. */
async function nextTurn(kinds: readonly Kind[], { version, method, settings, lose }: Played): Promise<string[]> {
  const fetch = scriptedFetch([{ id: 'resp_1', output: kinds.map(toItem) }, 'Done.']);
  const provider = VERSIONS[version]({ apiKey: 'test', fetch, tools, backend: 'openai', ...settings });
  const model = provider('gpt-test');
  const prompt = [user('Go.')];
  const parts = await answer(model, method, { prompt, tools: [ask] });
  const message = lose(JSON.parse(JSON.stringify(toMessage(parts))) as AnyPart[]);
  const results = message.flatMap((part) =>
    part.type === 'tool-call' && part['toolName'] === 'theirs'
      ? [{ ...part, type: 'tool-result', output: { type: 'text', value: `answer ${textOf(part['toolCallId'])}` } }]
      : [],
  );
  const next = [...prompt, { role: 'assistant', content: message }, { role: 'tool', content: results }];
  await answer(model, method, { prompt: next, tools: [ask] });
  return fetch.requests[1]!.input.flatMap((item) => {
    const { type, call_id: callId, output, query } = item as Record<string, string>;
    if (type === 'function_call') return [`call ${callId}`];
    if (type === 'function_call_output') return [`${callId}: ${output}`];
    if (type === 'web_search_call') return [`search ${query}`];
    return outline({ input: [item] } as never).filter((line) => !line.startsWith('user'));
  });
}

/** The round itself, each run of calls with its outputs behind it. */
function expected(kinds: readonly Kind[]): string[] {
  let outputs: string[] = [];
  const flush = (): string[] => outputs.splice(0);
  const lines = kinds.flatMap((kind, n) => {
    if (kind === 'text') return [...flush(), `says Text ${n}.`];
    if (kind === 'reasoning') return [...flush(), `thinks sealed ${n}`];
    if (kind === 'search') return [...flush(), `search ${n}`];
    outputs.push(`call_${n}: ${kind === 'ours' ? `ours ${n}` : `answer call_${n}`}`);
    return [`call call_${n}`];
  });
  return [...lines, ...flush()];
}

const isAboutCalls = (line: string): boolean => line.startsWith('call');
const isCall = (line: string): boolean => line.startsWith('call ');

const mixed = fc
  .array(fc.constantFrom<Kind>('ours', 'theirs', 'text', 'reasoning', 'search'), { minLength: 2, maxLength: 7 })
  .filter((kinds) => kinds.includes('ours') && kinds.includes('theirs'))
  // Reasoning that nothing follows is not replayed, and two in a row are none that a server sends.
  .filter((kinds) => kinds.at(-1) !== 'reasoning' && !kinds.join(' ').includes('reasoning reasoning'));

const played = fc.record({
  version: fc.constantFrom<Version>('v2', 'v3', 'v4'),
  method: fc.constantFrom<Method>('doStream', 'doGenerate'),
  toolParts: fc.constantFrom('none' as const, 'all' as const),
  carrier: fc.constantFrom('metadata' as const, 'reasoning' as const),
  signs: fc.constantFrom({}, { historySecret: 'a secret of at least thirty-two characters' }),
});

describe('a round of calls of ours and of the caller’s', () => {
  it('goes back exactly as the model made it where the framework keeps what it is given', async () => {
    await fc.assert(
      fc.asyncProperty(mixed, played, async (kinds, { version, method, signs, ...others }) => {
        const settings = { ...others, ...signs };
        const lines = await nextTurn(kinds, { version, method, settings, lose: (message) => [...message] });
        // A part of the stream cannot be told from its order alone: what was shown before the client's call stays there.
        const isExact = settings.toolParts === 'none' && settings.carrier === 'metadata';
        if (isExact) expect(lines).toEqual(expected(kinds));
        else expect(lines.filter(isCall)).toEqual(expected(kinds).filter(isCall));
      }),
      { numRuns: 100 },
    );
  });

  it.each(Object.entries(LOSSES))('keeps every call and its output, in order: %s', async (_framework, lose) => {
    await fc.assert(
      fc.asyncProperty(mixed, played, async (kinds, { version, method, signs, ...others }) => {
        const settings = { ...others, ...signs };
        const lines = await nextTurn(kinds, { version, method, settings, lose });
        expect(lines.filter(isCall)).toEqual(expected(kinds).filter(isCall));
        expect(lines.filter(isAboutCalls).toSorted()).toEqual(expected(kinds).filter(isAboutCalls).toSorted());
      }),
      { numRuns: 40 },
    );
  });

  it('loses no call of ours where a framework gives the caller’s calls other ids', async () => {
    await fc.assert(
      fc.asyncProperty(mixed, played, async (kinds, { version, method, carrier }) => {
        const settings = { toolParts: 'none', carrier } as const;
        const lines = await nextTurn(kinds, { version, method, settings, lose: renamed });
        const plain = lines.map((line) => line.replaceAll('own_', ''));
        expect(plain.filter(isAboutCalls).toSorted()).toEqual(expected(kinds).filter(isAboutCalls).toSorted());
      }),
      { numRuns: 40 },
    );
  });

  it('keeps the order of calls that the model made up one wrapper for', async () => {
    const uses = ['theirs', 'ours', 'theirs', 'ours'].map((name, n) => ({
      recipient_name: `functions.${name}`,
      parameters: { n },
    }));
    for (const version of ['v2', 'v4'] as const) {
      const wrapper = { type: 'call', name: 'parallel', arguments: { tool_uses: uses }, callId: 'call_w' } as const;
      const fetch = scriptedFetch([{ id: 'resp_1', output: [wrapper] }, 'Done.']);
      const model = VERSIONS[version]({ apiKey: 'test', fetch, tools, toolParts: 'none' })('gpt-test');
      const parts = await answer(model, 'doStream', { prompt: [user('Go.')], tools: [ask] });
      const message = LOSSES['a framework that keeps nothing but calls']!(toMessage(parts));
      await answer(model, 'doStream', { prompt: [user('Go.'), { role: 'assistant', content: message }], tools: [ask] });
      const names = outline(fetch.requests[1]).filter((line) => line.startsWith('call '));
      expect(names).toEqual(['call theirs', 'call ours', 'call theirs', 'call ours']);
    }
  });
});

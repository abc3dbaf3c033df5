import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ToolOutput } from '../../../src/core/message.js';
import { createLocalSource } from '../../../src/tools/local/local-source.js';
import type { LocalTool } from '../../../src/tools/local/local-tool.js';
import type { ResolvedSchema } from '../../../src/tools/local/resolve-schema.js';
import type { SourceTool, ToolSource } from '../../../src/tools/tool-source.js';
import { textOf } from '../support/call.js';

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2]);
const PNG_BASE64 = 'iVBORwEC';
const file = (mediaType: string, base64: string): object => ({
  type: 'file',
  mediaType,
  source: { type: 'data', base64 },
});

const sourceOf = (
  tool: LocalTool,
  ...rest: Parameters<typeof createLocalSource> extends [unknown, ...infer R] ? R : never
): ToolSource => createLocalSource({ it: tool }, ...rest);

function call(source: ToolSource, args: Record<string, never> | object = {}): Promise<ToolOutput> {
  return source.execute('it', args as Record<string, never>, {
    callId: 'call_1',
    signal: new AbortController().signal,
  });
}

const returning = (value: unknown, more: Partial<LocalTool> = {}): Promise<ToolOutput> =>
  call(sourceOf({ execute: () => value, ...more }));

async function listed(tool: Partial<LocalTool>): Promise<SourceTool | undefined> {
  return (await sourceOf({ execute: () => 1, ...tool }).list())[0];
}

describe('what a local tool returns never breaks a call', () => {
  class Point {
    readonly x = 1;
  }

  it.each<[string, unknown, object]>([
    ['bytes that do not say what they are', PNG, { text: '"[binary data, 6 bytes]"' }],
    ['the same in a buffer', PNG.buffer, { text: '"[binary data, 6 bytes]"' }],
    ['a Blob that does not say what it is', new Blob([PNG]), { text: '"[binary data, 6 bytes]"' }],
    ['a picture as a Blob', new Blob([PNG], { type: 'image/png' }), file('image/png', PNG_BASE64)],
    ['a Blob that says what it is', new Blob([new Uint8Array([0])], { type: 'audio/wav' }), file('audio/wav', 'AA==')],
    ['a Blob of text', new Blob(['hi'], { type: 'text/plain' }), { text: 'hi' }],
    ['a URL', new URL('https://example.com/a'), { text: '"https://example.com/a"' }],
    ['a date', new Date(0), { text: '"1970-01-01T00:00:00.000Z"' }],
    ['a date that is none', new Date(Number.NaN), { text: 'null' }],
    ['a map', new Map([['a', new Set([1n])]]), { text: '{"a":["1"]}' }],
    ['a big integer', 10n, { text: '"10"' }],
    ['a number that is none', Number.NaN, { text: 'NaN' }],
    ['an instance of a class', new Point(), { text: '{"x":1}' }],
    ['an error inside', { error: new Error('no') }, { text: '{"error":{"name":"Error","message":"no"}}' }],
    ['no bytes', new Uint8Array(0), { text: '"[binary data, 0 bytes]"' }],
    ['headers', new Headers({ a: 'b' }), { text: '{"a":"b"}' }],
    ['a Blob inside', { file: new Blob([PNG]) }, { text: '{"file":"[binary data, 6 bytes]"}' }],
    ['a symbol', Symbol('x'), { text: '(no output)' }],
    ['a huge text', 'x'.repeat(1_000_000), { text: 'x'.repeat(1_000_000) }],
  ])('%s', async (_name, value, content) => {
    const output = await returning(value);
    expect(output).toMatchObject({ isError: false, content: [content] });
  });

  it.each<[string, unknown, RegExp]>([
    [
      'a Response',
      new Response('{}'),
      /returned a Response, which this package does not read: it must return `await response\.json\(\)`/,
    ],
    ['a stream of the web', new Response('hello').body, /returned a stream, which this package does not read/],
    [
      'a generator',
      [1, 2].values(),
      /returned a generator, which this package does not read: it must return a list, such as `\[\.\.\.values\]`/,
    ],
    ['a stream of Node', Readable.from([Buffer.from('a')]), /returned a stream, which this package does not read/],
    ['a proxy that was revoked', revoked(), /cannot be written/],
    ['what is nested without end', deep(), /cannot be written/],
  ])('an error the model can read: %s', async (_name, value, text) => {
    const output = await returning(value);
    expect(output.isError).toBe(true);
    expect(textOf(output)).toMatch(text);
  });

  it('a file that is too large becomes a line that says so', async () => {
    const output = await returning(new Blob([new Uint8Array(20_000_001)], { type: 'image/png' }));
    expect(textOf(output)).toBe('[image/png left out: 20.0 MB, the limit is 20.0 MB]');
  });

  it('a generator behind a promise is read to its end', async () => {
    async function* steps(): AsyncGenerator<string> {
      yield 'first';
      yield 'last';
    }
    expect(textOf(await returning(Promise.resolve(steps())))).toBe('last');
  });
});

describe('results that come bit by bit', () => {
  it('each result of a generator replaces the one before', async () => {
    async function* sketches(): AsyncGenerator<Blob> {
      yield new Blob(['sketch'], { type: 'text/plain' });
      yield new Blob(['picture'], { type: 'text/plain' });
    }
    expect(textOf(await returning(sketches()))).toBe('picture');
  });

  it('toModelOutput is not asked about what cannot be read', async () => {
    const toModelOutput: LocalTool['toModelOutput'] = () => ({ type: 'text', value: 'made up' });
    expect(textOf(await returning([1, 2].values(), { toModelOutput }))).toMatch(/returned a generator/);
    expect(textOf(await returning(new Response('{}'), { toModelOutput }))).toMatch(/returned a Response/);
  });
});

describe('whether arguments fit can be asked beforehand', () => {
  const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

  it('a sentence says what does not fit, the same the call would be answered with, and nothing runs', async () => {
    let ran = false;
    const source = sourceOf({ inputSchema, execute: () => (ran = true) });
    const [tool] = await source.list();
    const sentence = await tool?.checkArguments?.({ city: 5 });
    expect(sentence).toMatch(/- city: must be a string, not a number/);
    expect(sentence).toBe(textOf(await call(source, { city: 5 })));
    expect(ran).toBe(false);
  });

  it('nothing is said where they fit, also after they were changed by the schema', async () => {
    const execute = (args: unknown): unknown => args;
    expect(await (await listed({ inputSchema, execute }))?.checkArguments?.({ city: 'Oslo' })).toBeUndefined();
    const resolve = (): ResolvedSchema => ({
      jsonSchema: {},
      validate: async () => ({ success: true, value: { n: 5 } }),
    });
    const source = sourceOf({ inputSchema: z.object({}), execute }, resolve);
    expect(await (await source.list())[0]?.checkArguments?.({ n: '5' })).toBeUndefined();
    expect((await call(source, { n: '5' })).value).toEqual({ n: 5 });
  });

  it('a check that fails is one that does not fit', async () => {
    const validate = (): never => {
      throw new Error('no idea');
    };
    const source = sourceOf({ inputSchema: z.object({}), execute: () => 1 }, () => ({ jsonSchema: {}, validate }));
    expect(await (await source.list())[0]?.checkArguments?.({})).toMatch(/no idea/);
  });

  it('is not offered where nothing checks', async () => {
    expect(await listed({})).not.toHaveProperty('checkArguments');
  });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return { proxy };
}

function deep(): unknown {
  let value: unknown = 1;
  for (let level = 0; level < 200_000; level += 1) value = [value];
  return value;
}

describe('toModelOutput', () => {
  const ROW = { rows: [1, 2] };

  it.each<[string, NonNullable<LocalTool['toModelOutput']>]>([
    ['AI SDK 5', (output) => ({ type: 'text', value: `${(output as typeof ROW).rows.length} rows` })],
    [
      'AI SDK 5, whole',
      (output) => ({ type: 'text', value: JSON.stringify(output) === '{"rows":[1,2]}' ? '2 rows' : 'no' }),
    ],
    [
      'AI SDK 6',
      (options) => ({ type: 'text', value: `${(options as { output: typeof ROW }).output.rows.length} rows` }),
    ],
    [
      'AI SDK 6, later',
      async (options) => {
        await Promise.resolve();
        return { type: 'text', value: `${(options as { output: typeof ROW }).output.rows.length} rows` };
      },
    ],
    ['neither', () => ({ type: 'text', value: '2 rows' })],
  ])('of %s is what the model reads; user interfaces get the result', async (_name, toModelOutput) => {
    expect(await returning(ROW, { toModelOutput })).toEqual({
      isError: false,
      content: [{ type: 'text', text: '2 rows' }],
      value: ROW,
    });
  });

  it('AI SDK 6 is told the call id and the arguments', async () => {
    const seen: unknown[] = [];
    const source = sourceOf({
      execute: () => 'out',
      toModelOutput(options) {
        const { toolCallId, input, output } = options as Record<string, unknown>;
        seen.push(toolCallId, input, output);
        return { type: 'text', value: 'x' };
      },
    });
    expect((await call(source, { a: 1 })).value).toBe('out');
    expect(seen).toEqual(['call_1', { a: 1 }, 'out']);
  });

  const say = (value: unknown): object => ({ type: 'text', text: value });
  const link = (mediaType: string, source: object): object => ({ type: 'file', mediaType, source });
  const part = (one: object): object => ({ type: 'content', value: [one] });

  it.each<[string, object, boolean, object]>([
    ['text', { type: 'text', value: 'a' }, false, say('a')],
    ['no text', { type: 'text', value: '' }, false, say('(no output)')],
    ['json', { type: 'json', value: { a: 1 } }, false, say('{"a":1}')],
    ['error-text', { type: 'error-text', value: 'no' }, true, say('no')],
    ['error-json', { type: 'error-json', value: [1] }, true, say('[1]')],
    [
      'execution-denied',
      { type: 'execution-denied', reason: 'late' },
      true,
      say('The user did not allow this call: late'),
    ],
    ['no content', { type: 'content', value: [] }, false, say('(no output)')],
    ['a text part', part({ type: 'text', text: 'a' }), false, say('a')],
    ['media (5)', part({ type: 'media', data: 'AAA=', mediaType: 'image/png' }), false, file('image/png', 'AAA=')],
    [
      'image-data (6)',
      part({ type: 'image-data', data: 'AAA=', mediaType: 'image/png' }),
      false,
      file('image/png', 'AAA='),
    ],
    [
      'image-url (6)',
      part({ type: 'image-url', url: 'https://x/y' }),
      false,
      link('image/*', { type: 'url', url: 'https://x/y' }),
    ],
    [
      'image-file-id (6)',
      part({ type: 'image-file-id', fileId: { openai: 'file-1' } }),
      false,
      link('image/*', { type: 'id', id: 'file-1' }),
    ],
    [
      'file-data (6)',
      part({ type: 'file-data', data: 'AAA=', mediaType: 'application/pdf', filename: 'a.pdf' }),
      false,
      { ...file('application/pdf', 'AAA='), filename: 'a.pdf' },
    ],
    [
      'file-url (6)',
      part({ type: 'file-url', url: 'https://x/y', mediaType: 'application/pdf' }),
      false,
      link('application/pdf', { type: 'url', url: 'https://x/y' }),
    ],
    [
      'file-id (6)',
      part({ type: 'file-id', fileId: 'file-1' }),
      false,
      link('application/octet-stream', { type: 'id', id: 'file-1' }),
    ],
    [
      'file-reference (7)',
      part({ type: 'file-reference', providerReference: { openai: 'file-1' } }),
      false,
      link('application/octet-stream', { type: 'id', id: 'file-1' }),
    ],
    [
      'file (7)',
      part({ type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG } }),
      false,
      file('image/png', PNG_BASE64),
    ],
    [
      'file with a URL (7)',
      part({ type: 'file', mediaType: 'image/png', data: { type: 'url', url: new URL('https://x/y') } }),
      false,
      link('image/png', { type: 'url', url: 'https://x/y' }),
    ],
    [
      'file with a text (7)',
      part({ type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'a' } }),
      false,
      file('text/plain', 'YQ=='),
    ],
    ['custom', part({ type: 'custom', x: 1 }), false, say('{"type":"custom","x":1}')],
  ])('may return %s', async (_name, returned, isError, content) => {
    expect(await returning('raw', { toModelOutput: () => returned })).toEqual({
      isError,
      content: [content],
      value: 'raw',
    });
  });

  it.each<[string, NonNullable<LocalTool['toModelOutput']>, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
      /"it": its toModelOutput failed \(broken\)/,
    ],
    ['returns nothing', () => undefined, /none of the shapes/],
    ['returns another shape', () => ({ type: 'text', value: 5 }), /none of the shapes/],
  ])('that %s keeps the result back, and a warning says so once', async (_name, toModelOutput, warning) => {
    const source = sourceOf({ execute: () => ROW, toModelOutput });
    expect(await call(source)).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'The tool ran, but its result is kept back: its toModelOutput failed.' }],
    });
    await call(source);
    expect(source.takeWarnings?.()).toEqual([expect.stringMatching(warning)]);
    expect(source.takeWarnings?.()).toEqual([]);
  });

  it('is not asked about errors', async () => {
    const output = await returning(new Error('no'), { toModelOutput: () => ({ type: 'text', value: 'fine' }) });
    expect(output).toMatchObject({ isError: true, content: [{ text: 'no' }] });
  });
});

describe('what a local tool says about itself', () => {
  it('is listed', async () => {
    const hints = { destructive: true, idempotent: false, timeoutMs: 5, totalTimeoutMs: 50, strict: true };
    expect(await listed(hints)).toMatchObject(hints);
  });

  it.each<[string, LocalTool['needsApproval'], boolean | undefined]>([
    ['true', true, true],
    ['false', false, undefined],
    ['nothing', undefined, undefined],
    ['a function that says yes', ({ amount }, { toolCallId }) => amount === '7' && toolCallId === 'call_1', true],
    ['a function that says no', async () => false, false],
    [
      'a function that throws',
      () => {
        throw new Error('x');
      },
      true,
    ],
  ])('needsApproval: %s', async (_name, needsApproval, expected) => {
    const tool = await listed({ needsApproval });
    expect(await tool?.needsApproval?.({ amount: '7' }, 'call_1')).toBe(expected);
  });

  it('needsApproval reads arguments as the schema made them, and is not asked about those that do not fit', async () => {
    const seen: unknown[] = [];
    const inputSchema = z.object({ n: z.coerce.number() });
    const tool = (
      await createLocalSource(
        { it: { inputSchema, execute: () => 1, needsApproval: (args) => seen.push(args) > 0 } },
        () => ({
          jsonSchema: {},
          validate: (value) => {
            const r = inputSchema.safeParse(value);
            return r.success ? { success: true, value: r.data } : { success: false, error: r.error };
          },
        }),
      ).list()
    )[0];
    expect(await tool?.needsApproval?.({ n: '5' }, 'c')).toBe(true);
    expect(await tool?.needsApproval?.({ n: 'x' }, 'c')).toBe(false);
    expect(seen).toEqual([{ n: 5 }]);
  });
});

describe('arguments of tools with a plain JSON schema', () => {
  const inputSchema = {
    type: 'object',
    properties: { days: { type: 'array', items: { type: 'integer' } } },
    required: ['city'],
  };

  it('are rejected with a reason for each field, and the tool does not run', async () => {
    let ran = false;
    const source = sourceOf({ inputSchema, execute: () => (ran = true) });
    const output = await call(source, { days: [1, 'x'] });
    expect(output.isError).toBe(true);
    expect(textOf(output)).toMatch(
      /^The arguments do not match .+\n- \(arguments\): needs "city"\n- days\.1: must be an integer, not a string\nCall/,
    );
    expect(ran).toBe(false);
    expect((await call(source, { city: 'Oslo' })).isError).toBe(false);
  });

  it('a schema that cannot be read refuses nothing', async () => {
    const source = sourceOf({ inputSchema: { type: 'what' }, execute: () => 'ran' });
    expect(textOf(await call(source))).toBe('ran');
  });
});

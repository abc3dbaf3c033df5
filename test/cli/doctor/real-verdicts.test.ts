import { describe, expect, it } from 'vitest';
import { type Behaviour, modelServer } from './support/model-server.js';
import { diagnose, verdictOf } from './support/run-doctor.js';

type Row = readonly [what: string, change: Partial<Behaviour>, point: string, verdict: string, exit?: number];

const ROWS: readonly Row[] = [
  ['streams no more', { streams: 'never' }, 'streamed text', 'partly', 1],
  ['fails to stream', { streams: 'fails' }, 'streamed text', 'no', 2],
  ['streams always', { streams: 'always' }, 'text without streaming', 'partly', 0],
  ['says nothing', { says: '', reasoning: 'none' }, 'streamed text', 'no', 2],
  ['counts nothing', { usage: false }, 'usage', 'no', 1],
  ['answers what it cannot have read', { checksInput: false }, 'error shapes', 'partly'],
  ['lists no models', { models: 'none' }, 'reachable', 'partly'],
  ['refuses the role system', { refuses: ['role system'] }, 'system role', 'no'],
  ['refuses the role developer', { refuses: ['role developer'] }, 'developer role', 'no', 0],
  ['wants ids', { messageIds: 'synthetic' }, 'assistant messages', 'yes', 0],
  ['ignores unknown fields', { refusesUnknown: false }, 'unknown fields ignored', 'yes', 0],
  ['refuses unknown fields', {}, 'unknown fields ignored', 'no', 0],
  ['has no settings of an engine', {}, 'engine settings', 'no', 0],
  ['refuses temperature', { refuses: ['temperature'] }, 'temperature', 'no', 0],
  ['refuses include', { refuses: ['include'] }, 'include', 'no'],
  ['keeps no responses', { stores: 'refuses' }, 'store and previous_response_id', 'no', 0],
  ['ignores previous_response_id', { stores: 'ignores' }, 'store and previous_response_id', 'no', 0],
  ['calls only when forced', { calls: 'forced-only' }, 'function call', 'unknown', 0],
  ['never calls', { calls: 'never' }, 'forced call', 'no', 2],
  ['takes no tools', { refuses: ['tools'] }, 'function call', 'no'],
  ['calls another one than the named', { calls: 'named-wrong' }, 'call forced by name', 'no', 1],
  ['calls although it may not', { calls: 'always' }, 'tool_choice none', 'no', 0],
  ['cuts arguments', { calls: 'broken-arguments' }, 'function call', 'partly'],
  ['calls one tool at a time', { parallel: false }, 'parallel calls', 'unknown', 0],
  ['refuses parallel_tool_calls', { refuses: ['parallel_tool_calls'] }, 'parallel calls', 'no', 1],
  ['takes texts as parts', { parts: 'texts' }, 'images in outputs', 'no', 1],
  ['takes outputs as texts only', { parts: 'none' }, 'outputs as parts', 'no', 0],
  ['does not think', { reasoning: 'none' }, 'reasoning', 'no', 0],
  ['takes no reasoning back', { takesReasoning: false }, 'reasoning replay', 'no', 1],
  ['thinks aloud', { reasoning: 'plain' }, 'reasoning replay', 'yes', 0],
  ['ignores schemas', { schema: false }, 'structured output', 'no', 1],
  ['refuses text.format', { refuses: ['text'] }, 'structured output', 'no', 1],
  ['sees nothing', { images: 'blind' }, 'images', 'partly', 1],
  ['refuses images', { images: 'refused' }, 'images', 'no', 1],
  ['fetches nothing', { fetches: false }, 'images by URL', 'no', 0],
  ['takes no files', { files: false }, 'files', 'no', 1],
  ['has no tools', { hosted: 'none' }, 'server tools', 'no', 0],
  ['takes every kind of tool', { hosted: 'anything' }, 'server tools', 'unknown', 0],
  ['has no sockets', { sockets: false }, 'WebSocket', 'no', 0],
  ['runs on after an abort', { stuckMs: 6_000 }, 'abort', 'no', 1],
];

describe('doctor and a server that can do everything', () => {
  it('says yes to all of it, and ends with 0', async () => {
    const { baseURL } = await modelServer({ refusesUnknown: false });
    const report = await diagnose(baseURL);
    const others = report.points.filter(({ verdict }) => verdict !== 'yes');
    expect(others.map(({ name, verdict }) => `${name}: ${verdict}`)).toEqual([
      'key required: no',
      'engine settings: unknown',
      'include: unknown',
    ]);
    expect(report).toMatchObject({ doctor: 1, result: 'works', limits: [], exitCode: 0, model: 'able-1' });
  });

  it('costs about 40 requests of a few tokens', async () => {
    const { baseURL, bodies } = await modelServer();
    const { cost } = await diagnose(baseURL);
    expect(cost.requests).toBeLessThan(60);
    expect(cost.requests).toBeGreaterThanOrEqual(bodies.length);
    expect(cost.inputTokens).toBeGreaterThan(0);
    expect(Math.max(...bodies.map((body) => Number(body['max_output_tokens'] ?? 0)))).toBeLessThanOrEqual(4_000);
    expect(bodies.every((body) => body['stream'] !== undefined)).toBe(true);
  });
});

describe('doctor and a server that', () => {
  const rows = ROWS.map(([what, change, point, verdict, exit]) => ({ what, change, point, verdict, exit }));

  it.each(rows)('$what', async ({ change, point, verdict, exit }) => {
    const { baseURL } = await modelServer(change);
    const report = await diagnose(baseURL, ['--model', 'able-1']);
    expect(`${point}: ${verdictOf(report, point)}`).toBe(`${point}: ${verdict}`);
    if (exit !== undefined) expect(report.exitCode).toBe(exit);
  });
});

describe('doctor finds where and how', () => {
  it.each([
    ['the version was forgotten behind a path', '/v1/responses', '/api'],
    ['the API is elsewhere', '/openai/v1/responses', ''],
  ])('when %s', async (_what, path, typed) => {
    const { origin } = await modelServer({ path });
    const report = await diagnose(`${origin}${typed}`, ['--model', 'able-1']);
    expect(report.url).toBe(`${origin}${path}`);
    expect(report.exitCode).toBe(0);
  });

  it('the header of the key', async () => {
    const { baseURL } = await modelServer({ keyIn: 'api-key' });
    const env = { MY_KEY: 'sk-able-0123456789abcdef' };
    const report = await diagnose(baseURL, ['--model', 'able-1', '--api-key-env', 'MY_KEY'], { env });
    expect(report.code).toContain("auth: 'api-key'");
    expect(report.code).toContain("apiKey: process.env['MY_KEY']");
    expect(verdictOf(report, 'key required')).toBe('yes');
    expect(report.exitCode).toBe(0);
  });

  it('which fields of its own it wants', async () => {
    const { baseURL, bodies } = await modelServer({ wants: 'agent_id' });
    const without = await diagnose(baseURL);
    expect(without.exitCode).toBe(2);
    expect(without.points[1]?.detail).toContain('agent_id is required');
    const report = await diagnose(baseURL, ['--body', '{"agent_id":"helper"}']);
    expect(report.exitCode).toBe(0);
    expect(report.code).toContain("agent_id: 'helper'");
    expect(bodies.at(-1)).toMatchObject({ agent_id: 'helper' });
  });

  it('that the model called the tool with arguments that do not fit', async () => {
    const { baseURL } = await modelServer({ calls: 'broken-arguments' });
    const report = await diagnose(baseURL, ['--model', 'able-1']);
    expect(report.points.at(-1)).toMatchObject({
      name: 'the loop',
      verdict: 'no',
      detail: 'the model called the tool with arguments that do not fit its schema, so it did not run',
    });
  });

  it.each([['max_output_tokens'], ['store']])('that %s is refused', async (field) => {
    const { baseURL, bodies } = await modelServer({ refuses: [field] });
    const report = await diagnose(baseURL);
    expect(report.points.find(({ name }) => name === 'streamed text')?.detail).toContain(`refuses ${field}`);
    expect(report.points.at(-1)).toMatchObject({ name: 'the loop', verdict: 'yes' });
    expect(bodies.filter((body) => body[field] !== undefined).length).toBeLessThan(6);
  });
});

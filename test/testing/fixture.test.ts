import { Redactor } from '../../src/observe/redactor.js';
import { redactError } from '../../src/observe/redact-error.js';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  createScriptedServer,
  type Fixture,
  fixtureSteps,
  plainParts,
  readFixture,
  writeFixture,
  writeFixtureParts,
} from '../../src/testing.js';
import { readAllFixtures } from '../helpers/fixtures.js';

let directory: string;

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'fixture-')), 'example');
});

afterEach(async () => {
  await rm(join(directory, '..'), { recursive: true });
});

function example(changes: Partial<Fixture['meta']> = {}, stream = 'data: {"type":"ping"}\r\n\r\n'): Fixture {
  const round = { status: 200, headers: { 'content-type': 'text/event-stream' }, ending: 'end' as const };
  const meta = {
    ...{ name: 'example', title: 'An example', origin: 'recorded' as const, source: 'a server', date: '2026-11-21' },
    ...{ notes: 'None.', rounds: [round], ...changes },
  };
  const body = new TextEncoder().encode(stream);
  return { meta, rounds: meta.rounds.map((of) => ({ ...of, request: { model: 'm' }, body, kind: 'sse' as const })) };
}

function metaWith(member: string): string {
  return JSON.stringify(example().meta).replace('"ending":"end"', `"ending":"end",${member}`);
}

describe('a fixture on disk', () => {
  it('is read as it was written, byte for byte', async () => {
    await writeFixture(directory, example());
    await writeFixtureParts(directory, [[{ type: 'response' }]]);
    const { rounds, ...rest } = await readFixture(directory);
    expect(rest).toEqual({ meta: example().meta, parts: [[{ type: 'response' }]] });
    expect(rounds.map((round) => ({ ...round, body: new Uint8Array(round.body) }))).toEqual(example().rounds);
  });

  it('keeps what is known of its chunks, one line each', async () => {
    const headers = { 'content-type': 'text/event-stream' };
    const chunks = [[20, 3] as const, [5, 40] as const];
    const round = { status: 200, headers, ending: 'reset' as const, aborted: true, chunks };
    await writeFixture(directory, example({ rounds: [round] }));
    expect((await readFixture(directory)).rounds).toMatchObject([round]);
    expect(await readFile(join(directory, 'meta.json'), 'utf8')).toMatch(/^\s+\[20, 3\],\n\s+\[5, 40\]$/m);
  });

  it('holds nothing of the one that was there before', async () => {
    const twice = Array.from({ length: 2 }, () => ({ status: 200, headers: {}, ending: 'end' as const }));
    await writeFixture(directory, example({ rounds: twice }));
    const { meta, rounds } = example();
    await writeFixture(directory, { meta, rounds: rounds.map((round) => ({ ...round, kind: 'json' })) });
    expect((await readdir(directory)).toSorted()).toEqual(['1.request.json', '1.response.json', 'meta.json']);
  });

  it('keeps no credentials of a recording', async () => {
    const headers = { 'set-cookie': 'session=0123456789abcdef', 'x-request-id': 'req_1' };
    const fixture = example({ rounds: [{ status: 200, headers, ending: 'end' }] });
    const request = { input: [{ type: 'reasoning', encrypted_content: 'sealed' }] };
    await writeFixture(directory, { ...fixture, rounds: fixture.rounds.map((round) => ({ ...round, request })) });
    const files = await Promise.all(
      ['meta.json', '1.request.json'].map((file) => readFile(join(directory, file), 'utf8')),
    );
    expect(files.join()).not.toMatch(/0123456789|sealed/);
    expect(files.join()).toContain('req_1');
  });

  it('refuses a recording that holds sealed reasoning', async () => {
    const fixture = example({}, 'data: {"encrypted_content":"gAAAA"}\n\n');
    await expect(writeFixture(directory, fixture)).rejects.toThrow(/1\.sse: contains sealed reasoning/);
  });

  it.each([
    ['meta.json', '{', 'is not JSON'],
    [
      'meta.json',
      '{"name":"example","title":"x","source":"x","notes":"x"}',
      '"origin" must be "recorded" or "hand-written"',
    ],
    ['meta.json', metaWith('"ending":"stall"'), '"ending" of round 1 must be "end" or "reset"'],
    ['meta.json', metaWith('"aborted":1'), '"aborted" of round 1 must be true or false'],
    ['meta.json', metaWith('"chunks":[[1]]'), '"chunks" of round 1 must list pairs of numbers'],
    ['meta.json', metaWith('"chunks":[[1,0],[2,5]]'), '"chunks" of round 1 are 3 bytes, but its body has 25'],
    ['1.request.json', '[]', 'must be a JSON object'],
    ['parts.json', '[]', 'must contain 1 lists of parts'],
  ])('names %s when it holds %s', async (file, content, problem) => {
    await writeFixture(directory, example());
    await writeFile(join(directory, file), content);
    const error: unknown = await readFixture(directory).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'FixtureError', file: join(directory, file) });
    expect(String(error)).toContain(problem);
  });

  it('says who may have changed its bytes', async () => {
    const round = { status: 200, headers: {}, ending: 'end' as const, chunks: [[99, 0] as const] };
    await writeFixture(directory, example({ rounds: [round] }));
    await expect(readFixture(directory)).rejects.toThrow(/are 99 bytes, but its body has 25\. Git or a formatter/);
  });

  it('is found under any path that leads there', async () => {
    await writeFixture(directory, example());
    expect((await readFixture(join(directory, 'x').replace(/x$/, '.'))).meta.name).toBe('example');
    expect((await readFixture(`${directory}/../example/`)).meta.name).toBe('example');
  });

  it('names what is missing', async () => {
    await expect(readFixture(directory)).rejects.toThrow(
      `${directory}: this directory contains no recording (meta.json is missing): record one with recordFetch.`,
    );
    await writeFixture(directory, example());
    await rm(join(directory, '1.sse'));
    await expect(readFixture(directory)).rejects.toThrow(/1\.sse: is missing, and so is 1\.response\.json/);
  });

  it('must be called what its directory is called', async () => {
    await writeFixture(directory, example({ name: 'other' }));
    await expect(readFixture(directory)).rejects.toThrow('"name" is "other", but the directory is "example"');
  });

  it('can be served: status, headers and bytes as recorded', async () => {
    const server = await createScriptedServer({ steps: fixtureSteps(example()) });
    const response = await fetch(`${server.baseURL}/responses`, { method: 'POST', body: '{}' });
    expect([response.status, await response.text()]).toEqual([200, 'data: {"type":"ping"}\r\n\r\n']);
    await server.close();
  });
});

it('writes parts as JSON: errors as facts, nothing undefined', () => {
  const error = redactError(Object.assign(new Error('Gone.'), { code: 'stream-reset' }), Redactor.NONE);
  const result = {
    outcome: 'reset',
    finishReason: 'error',
    usage: {},
    content: [],
    answeredCallIds: [],
    warnings: [],
  } as const;
  expect(plainParts([{ type: 'round-end', result: { ...result, error } }])).toEqual([
    { type: 'round-end', result: { ...result, error: { name: 'Error', message: 'Gone.', code: 'stream-reset' } } },
  ]);
});

describe('the fixtures of this repository', async () => {
  it.each(await readAllFixtures())(
    '$meta.name holds no secret, no sealed reasoning and no path of a machine',
    (fixture) => {
      const texts = fixture.rounds.map(({ body }) => new TextDecoder().decode(body));
      const everything = [
        JSON.stringify(fixture.meta),
        JSON.stringify(fixture.rounds.map((r) => r.request)),
        ...texts,
      ].join();
      expect(everything).not.toMatch(/Bearer |sk-[A-Za-z0-9]|api-key|\/(home|work|tmp|Users)\//);
      if (fixture.meta.origin === 'recorded') expect(everything).not.toMatch(/"encrypted_content":"[^"]/);
    },
  );
});

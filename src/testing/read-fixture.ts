import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

import type { JsonObject, JsonValue } from '../core/json.js';
import { isRecord } from '../util/guards.js';
import { checkMeta } from './fixture-meta.js';
import { type Fixture, FixtureError, type FixtureRound, type FixtureRoundMeta } from './fixture.js';

/**
 * Reads one fixture directory.
 *
 * @throws FixtureError naming the file that is missing or wrong.
 * @example
 * const fixture = await readFixture('fixtures/one-tool');
 */
export async function readFixture(directory: string): Promise<Fixture> {
  const metaFile = join(directory, 'meta.json');
  if ((await readIfThere(metaFile)) === undefined) {
    throw new FixtureError(directory, 'there is no recording here (meta.json is missing): record it with recordFetch.');
  }
  const meta = checkMeta(await readJson(metaFile), metaFile);
  const name = basename(resolve(directory));
  if (meta.name !== name) {
    throw new FixtureError(metaFile, `"name" is "${meta.name}", but the directory is "${name}".`);
  }
  const rounds = await Promise.all(meta.rounds.map((round, at) => readRoundFiles(directory, at + 1, round)));
  const parts = await readParts(join(directory, 'parts.json'), rounds.length);
  return { meta, rounds, ...(parts !== undefined && { parts }) };
}

/** Every directory under `root` that holds a `meta.json`, sorted by name. */
export async function listFixtures(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true });
  return entries
    .filter((entry) => basename(entry) === 'meta.json')
    .map((entry) => join(root, entry, '..'))
    .toSorted();
}

async function readRoundFiles(directory: string, number: number, meta: FixtureRoundMeta): Promise<FixtureRound> {
  const requestFile = join(directory, `${number}.request.json`);
  const request = await readJson(requestFile);
  // A parsed JSON object holds JSON values only.
  if (!isRecord(request)) throw new FixtureError(requestFile, 'must be a JSON object.');
  const stream = await readIfThere(join(directory, `${number}.sse`));
  const body = stream ?? (await readIfThere(join(directory, `${number}.response.json`)));
  if (body === undefined) {
    throw new FixtureError(join(directory, `${number}.sse`), `is missing, and so is ${number}.response.json.`);
  }
  const length = meta.chunks?.reduce((sum, [bytes]) => sum + bytes, 0) ?? body.length;
  if (length !== body.length) {
    const guess = 'Git or a formatter has changed it: see "fixtures/** -text" in the documentation.';
    const problem = `"chunks" of round ${number} are ${length} bytes, but its body has ${body.length}. ${guess}`;
    throw new FixtureError(join(directory, 'meta.json'), problem);
  }
  return { ...meta, request: request as JsonObject, body, kind: stream === undefined ? 'json' : 'sse' };
}

async function readParts(file: string, rounds: number): Promise<Fixture['parts']> {
  if ((await readIfThere(file)) === undefined) return undefined;
  const parts = await readJson(file);
  if (!Array.isArray(parts) || parts.length !== rounds || !parts.every((round) => Array.isArray(round))) {
    throw new FixtureError(file, `must hold ${rounds} lists of parts, one per round.`);
  }
  return parts as JsonValue[][]; // parsed JSON, and every round is a list
}

async function readJson(file: string): Promise<unknown> {
  const bytes = await readIfThere(file);
  if (bytes === undefined) throw new FixtureError(file, 'is missing.');
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new FixtureError(file, 'is not JSON.', error);
  }
}

async function readIfThere(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (isRecord(error) && error['code'] === 'ENOENT') return undefined;
    throw new FixtureError(file, 'cannot be read.', error);
  }
}

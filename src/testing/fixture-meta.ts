import { defined } from '../util/defined.js';
import { isRecord } from '../util/guards.js';
import { FixtureError, type FixtureMeta, type FixtureRoundMeta, type RecordedChunk } from './fixture.js';

const TEXTS = ['name', 'title', 'source', 'notes'] as const;

/** Looks at what stands in a `meta.json`; strict, because people write it. */
export function checkMeta(value: unknown, file: string): FixtureMeta {
  if (!isRecord(value)) throw new FixtureError(file, 'must be a JSON object.');
  const texts = Object.fromEntries(TEXTS.map((key) => [key, text(value[key], key, file)]));
  const { origin, date, rounds } = value;
  if (origin !== 'recorded' && origin !== 'hand-written') {
    throw new FixtureError(file, '"origin" must be "recorded" or "hand-written".');
  }
  if (typeof date !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(date)) {
    throw new FixtureError(file, '"date" must be a day like 2026-11-21.');
  }
  if (!Array.isArray(rounds) || rounds.length === 0) {
    throw new FixtureError(file, '"rounds" must list at least one round.');
  }
  return {
    ...(texts as Record<(typeof TEXTS)[number], string>), // made from TEXTS just above
    origin,
    date,
    rounds: rounds.map((round: unknown, at) => checkRound(round, at + 1, file)),
  };
}

function checkRound(value: unknown, number: number, file: string): FixtureRoundMeta {
  const where = `round ${number}`;
  if (!isRecord(value)) throw new FixtureError(file, `${where} must be a JSON object.`);
  const { status, headers, ending, aborted, chunks } = value;
  if (typeof status !== 'number') throw new FixtureError(file, `"status" of ${where} must be a number.`);
  if (!isStringRecord(headers)) throw new FixtureError(file, `"headers" of ${where} must map names to texts.`);
  if (ending !== undefined && ending !== 'end' && ending !== 'reset') {
    throw new FixtureError(file, `"ending" of ${where} must be "end" or "reset".`);
  }
  if (aborted !== undefined && typeof aborted !== 'boolean') {
    throw new FixtureError(file, `"aborted" of ${where} must be true or false.`);
  }
  if (chunks !== undefined && !isChunkList(chunks)) {
    throw new FixtureError(file, `"chunks" of ${where} must list pairs of numbers: bytes, milliseconds.`);
  }
  return { status, headers, ending: ending ?? 'end', ...defined({ aborted, chunks }) };
}

function isChunkList(value: unknown): value is readonly RecordedChunk[] {
  const isPair = (pair: unknown): boolean =>
    Array.isArray(pair) && pair.length === 2 && pair.every((member) => typeof member === 'number' && member >= 0);
  return Array.isArray(value) && value.every(isPair);
}

function text(value: unknown, key: string, file: string): string {
  if (typeof value !== 'string' || value === '') throw new FixtureError(file, `"${key}" must be a text.`);
  return value;
}

function isStringRecord(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((member) => typeof member === 'string');
}

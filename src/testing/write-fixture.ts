import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { redactBody, redactHeaders } from '../observe/redact.js';
import { type Fixture, FixtureError, type FixtureRound } from './fixture.js';

const SEALED = /"encrypted_content"\s*:\s*"[^"]/;

/**
 * Writes a fixture directory; what is there is replaced. Keys and tokens in headers and requests are taken out of a
 * recording. Its stream is never changed, so one that holds sealed reasoning is refused.
 *
 * @throws FixtureError naming the file that may not be kept.
 */
export async function writeFixture(directory: string, fixture: Fixture): Promise<void> {
  const { meta, rounds, parts } = fixture;
  rounds.forEach((round, at) => {
    if (meta.origin === 'recorded') refuseSealed(round, join(directory, bodyFile(round, at + 1)));
  });
  await mkdir(directory, { recursive: true });
  const roundsMeta = meta.rounds.map((round) => ({ ...round, headers: redactHeaders(round.headers) }));
  await writeJson(join(directory, 'meta.json'), { ...meta, rounds: roundsMeta });
  for (const [at, round] of rounds.entries()) {
    const request = meta.origin === 'recorded' ? redactBody(round.request) : round.request;
    await writeJson(join(directory, `${at + 1}.request.json`), request);
    await writeFile(join(directory, bodyFile(round, at + 1)), round.body);
  }
  if (parts !== undefined) await writeFixtureParts(directory, parts);
}

/** Writes `parts.json` alone: one part per line, so that a change is one line of a diff. */
export async function writeFixtureParts(directory: string, parts: NonNullable<Fixture['parts']>): Promise<void> {
  const rounds = parts.map((round) => `[\n${round.map((part) => `  ${JSON.stringify(part)}`).join(',\n')}\n]`);
  await writeFile(join(directory, 'parts.json'), `[${rounds.join(',\n')}]\n`);
}

function bodyFile(round: FixtureRound, number: number): string {
  return round.kind === 'sse' ? `${number}.sse` : `${number}.response.json`;
}

function refuseSealed(round: FixtureRound, file: string): void {
  if (SEALED.test(new TextDecoder().decode(round.body))) {
    throw new FixtureError(file, 'holds sealed reasoning of a real server, which must not be kept.');
  }
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

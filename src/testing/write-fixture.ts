import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Fixture, FixtureError, type FixtureRound } from './fixture.js';
import { redactAnswerHeaders } from './record/redact-headers.js';
import { redactRequest } from './record/redact-request.js';

/** Made-up names stand for sealed values in recordings of {@link recordFetch}. */
const SEALED = /"encrypted_content"\s*:\s*"(?!sealed-\d+(?:"|$))[^"]/;

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
  const files = new Set<string>();
  const write = async (file: string, content: string | Uint8Array): Promise<void> => {
    files.add(file);
    await writeFile(join(directory, file), content);
  };
  for (const [at, round] of rounds.entries()) {
    const request = meta.origin === 'recorded' ? redactRequest(round.request) : round.request;
    await write(`${at + 1}.request.json`, jsonText(request));
    await write(bodyFile(round, at + 1), round.body);
  }
  // Behind the rounds it lists: whoever stops here leaves a whole fixture, the old one or the new one.
  const roundsMeta = meta.rounds.map((round) => ({ ...round, headers: redactAnswerHeaders(round.headers) }));
  await write('meta.json', jsonText({ ...meta, rounds: roundsMeta }));
  await removeOtherRounds(directory, files);
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

/** Files of rounds that were there before: there may be fewer now, or other kinds of bodies. */
async function removeOtherRounds(directory: string, written: ReadonlySet<string>): Promise<void> {
  const ofRounds = (await readdir(directory)).filter((file) =>
    /^\d+\.(?:request\.json|response\.json|sse)$/.test(file),
  );
  const others = ofRounds.filter((file) => !written.has(file));
  await Promise.all(others.map((file) => rm(join(directory, file))));
}

function jsonText(value: unknown): string {
  // Pairs of numbers stay in one line: a long stream has many chunks.
  return `${JSON.stringify(value, null, 2).replaceAll(/\[\s+(\d+),\s+(\d+)\s+\]/g, '[$1, $2]')}\n`;
}

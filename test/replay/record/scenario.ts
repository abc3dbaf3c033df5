import { join } from 'node:path';

import { asRecords, asString } from '../../../src/util/guards.js';
import { type Fixture, plainParts, readFixture, recordFetch, writeFixtureParts } from '../../../src/testing.js';
import { FIXTURES } from '../../helpers/fixtures.js';
import { replayRound } from '../../helpers/replay-round.js';
import { wireEvents } from '../../servers/support/wire-stream.js';

/** A server that is up. */
export interface RunningServer {
  readonly baseURL: string;
  /** Name and version, as `meta.json` says it. */
  readonly source: string;
  close(): Promise<void>;
}

/** A fixture that can be recorded again: its requests stand in it, the server is opened for it. */
export interface Scenario {
  readonly name: string;
  /** `undefined` where the server is not at hand. */
  open(): Promise<RunningServer | undefined>;
}

/**
 * Sends the requests of a fixture to its server and records what comes, parts and all; title and notes stay. Gives the new
 * fixture, or nothing where there is no server.
 */
export async function recordScenario(scenario: Scenario, into: string): Promise<Fixture | undefined> {
  const { name } = scenario;
  const server = await scenario.open();
  if (server === undefined) return undefined;
  const before = await readFixture(join(FIXTURES, name));
  const directory = join(into, name);
  const { title, notes } = before.meta;
  const fetch = recordFetch(directory, { title, notes, source: server.source, overwrite: true });
  const ids = new Map<string, string>();
  for (const round of before.rounds) {
    const body = withIds(JSON.stringify(round.request), ids);
    const response = await fetch(`${server.baseURL}/responses`, { method: 'POST', body, headers: HEADERS });
    const bytes = await readToTheEnd(response);
    const later = callIds(bytes);
    callIds(round.body).forEach((id, at) => ids.set(id, later[at] ?? id));
  }
  await fetch.save();
  await server.close();
  const { rounds } = await readFixture(directory);
  const parts = await Promise.all(rounds.map((round) => replayRound([round.body], round.ending)));
  await writeFixtureParts(directory, parts.map(plainParts));
  return readFixture(directory);
}

const HEADERS = { 'content-type': 'application/json', authorization: 'Bearer test' };

/** Some recordings are of connections that break. */
async function readToTheEnd(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk);
  } catch {
    // That is what was to be recorded.
  }
  return Buffer.concat(chunks);
}

/** Servers make up new ids each time; follow-ups have to name them. */
function withIds(request: string, ids: ReadonlyMap<string, string>): string {
  return [...ids].reduce((text, [before, now]) => text.replaceAll(before, now), request);
}

function callIds(bytes: Uint8Array): string[] {
  const items = asRecords(wireEvents(bytes).map((event) => event['item']));
  const ids = items.filter((item) => item['type'] === 'function_call').map((item) => asString(item['call_id']) ?? '');
  return [...new Set(ids)];
}

/**
 * Parts without what is another each time: ids, named by the order in which they come, times, what the server had in its
 * cache, and the name it was started to give its model.
 */
export function lastingParts(fixture: Fixture | undefined): unknown {
  const names = new Map<string, string>();
  const nameOf = (id: string, kind: string): string => {
    if (!names.has(id)) names.set(id, `${kind}-${names.size}`);
    return names.get(id) ?? id;
  };
  return JSON.parse(
    JSON.stringify(fixture?.parts ?? null)
      .replaceAll(/\b(resp|msg|fc|rs|ws|call)[-_][\w-]{6,}/g, nameOf)
      .replaceAll(/"(cachedInputTokens|cached_tokens)":\d+/g, '"$1":0')
      .replaceAll(/"model":"[^"]*"/g, '"model":""')
      .replaceAll(/"(createdAt|created_at|completed_at)":\d+/g, '"$1":0'),
  );
}

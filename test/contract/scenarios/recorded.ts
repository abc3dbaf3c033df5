import { listFixtures, readFixture, replayFetch } from '../../../src/testing.js';
import type { Fixture, FixtureRound } from '../../../src/testing.js';
import { asRecord, asRecords, asString } from '../../../src/util/guards.js';
import { FIXTURES } from '../../helpers/fixtures.js';
import type { Scenario, ScenarioTool } from './scenario.js';

const FIXTURE_NAMES = await listFixtures(FIXTURES);
const ALL = await Promise.all(FIXTURE_NAMES.map((directory) => readFixture(directory)));

/** Each conversation as it was recorded, for those who run the tools between the rounds. */
export const CONVERSATIONS: readonly Scenario[] = ALL.map((fixture) => scenarioOf(fixture.meta.name, fixture));

/** The same, with nothing kept at the server: what is sent then are whole items, which can be compared. */
export const CONVERSATIONS_UNKEPT: readonly Scenario[] = CONVERSATIONS.filter(({ rounds }) => rounds > 1).map(
  (scenario) => ({ ...scenario, name: `turns/${scenario.name}`, options: { openai: { store: false } }, next: 'asks' }),
);

/** Each of their rounds by itself. */
export const ROUNDS: readonly Scenario[] = ALL.flatMap((fixture) =>
  fixture.rounds.map((round, at) => scenarioOf(`${fixture.meta.name}/${at + 1}`, { ...fixture, rounds: [round] })),
);

function scenarioOf(name: string, fixture: Fixture): Scenario {
  const { rounds } = fixture;
  const whole = rounds.map(asJson);
  return {
    name,
    tools: toolsOf(rounds),
    options: { openai: { store: true } },
    rounds: rounds.length,
    answer(streaming) {
      if (streaming) return replayFetch(fixture, { match: 'lenient' });
      const complete = whole.filter((round) => round !== undefined);
      if (complete.length < rounds.length) return undefined;
      return replayFetch({ ...fixture, rounds: complete }, { match: 'lenient' });
    },
    outputOf: (callId) => outputsIn(rounds).get(callId),
  };
}

/** The final snapshot of a stream is what the server would have said without streaming. A broken one has none. */
function asJson(round: FixtureRound): FixtureRound | undefined {
  if (round.kind === 'json') return round;
  const lines = new TextDecoder().decode(round.body).split(/\r?\n/);
  const events = lines.filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6)) as unknown);
  const last = asRecord(events.at(-1));
  if (!/^response\.(completed|incomplete|failed)$/.test(asString(last?.['type']) ?? '')) return undefined;
  const { chunks: _chunks, ...rest } = round;
  return {
    ...rest,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(last?.['response'])),
    kind: 'json',
  };
}

function toolsOf(rounds: readonly FixtureRound[]): ScenarioTool[] {
  const functions = asRecords(rounds[0]?.request['tools']).filter(({ type }) => type === 'function');
  return functions.map(({ name, description, parameters }) => ({
    name: String(name),
    description: asString(description) ?? '',
    parameters: parameters as ScenarioTool['parameters'],
  }));
}

function outputsIn(rounds: readonly FixtureRound[]): Map<string, string> {
  const items = rounds.flatMap(({ request }) => asRecords(request['input']));
  const outputs = items.filter(({ type }) => type === 'function_call_output');
  return new Map(outputs.map(({ call_id, output }) => [String(call_id), String(output)]));
}

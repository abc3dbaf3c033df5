import type { JsonObject } from '../../../src/core/json.js';
import { asRecords, asString } from '../../../src/util/guards.js';
import { offeredNames, toolChoiceOf } from '../model/owner.js';
import { isClosing } from '../model/rounds.js';
import { API_KEY } from '../secrets.js';
import { type Checker, eachCall, eachLane, roundsOfCall } from './checker.js';

/** Fields that may differ between the rounds of a call. */
const CHANGING: readonly string[] = ['input', 'tool_choice', 'tools'];

/** I10: all rounds share key, headers and fields; a forced choice is forced once; `none` offers no loop tools. */
export const sameForAllRounds: Checker = eachCall((_call, lane, { scenario, observation }, index) => {
  const rounds = roundsOfCall(lane, index);
  const [first] = rounds;
  if (first === undefined) return [];
  const context = { scenario, lane: lane.lane, outcome: lane.outcome, lagMs: observation.lagMs };
  const toolChoice = toolChoiceOf(lane.lane);
  return rounds.flatMap((round) => {
    const { body, headers } = round.request;
    const problems: string[] = [];
    if (headers.authorization !== `Bearer ${API_KEY}`) problems.push('goes without the key');
    if (JSON.stringify(fixed(body)) !== JSON.stringify(fixed(first.request.body)))
      problems.push('has other fields than the first');
    const forced = body['tool_choice'] !== undefined && body['tool_choice'] !== 'none';
    if (forced !== (round.round === 0 && (toolChoice === 'required' || toolChoice === 'tool')))
      problems.push(`has the tool choice ${JSON.stringify(body['tool_choice'])}`);
    const offered = namesOf(body['tools']);
    const isLoop = (name: string): boolean => ['look', 'act', 'peek', 'poke', 'echo'].includes(name);
    const expected = offeredNames(lane.lane, scenario);
    if (toolChoice === 'none' && offered.some(isLoop)) problems.push('offers loop tools despite the choice "none"');
    if (
      !isClosing(context, round.index) &&
      !expected.filter((name) => name === 'look' || name === 'act').every((name) => offered.includes(name))
    )
      problems.push('does not offer the loop tools');
    return problems.map((problem) => `request ${round.index} ${problem}`);
  });
});

function fixed(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !CHANGING.includes(name)));
}

function namesOf(tools: unknown): string[] {
  return asRecords(tools).map((tool) => asString(tool['name']) ?? '');
}

/** The script knows every request that came, and the MCP server everybody who asked it. */
export const nothingElse: Checker = ({ observation }) => [
  ...observation.problems,
  ...(observation.strangers === 0
    ? []
    : [`${observation.strangers} requests reached the MCP server without its token`]),
];

/** I9: what a call left to the client, and what we ran beside it, is in the prompt of the next step, once. */
export const carriesOn: Checker = eachLane((lane, { scenario }) =>
  lane.rounds.flatMap((round, at) => {
    const next = lane.rounds[at + 1];
    const isCertain = round.folded?.outcome === 'completed' && !round.folded.isUncertain;
    if (next === undefined || next.modelCall === round.modelCall || !isCertain || lane.isStopped) return [];
    const { carrier, toolParts } = scenario.settings;
    const isShown = toolParts !== 'none' && lane.lane.declaresLoopTools;
    return round.calls.flatMap(({ call, owner }) => {
      if (call.broken || (owner === 'client' && call.name !== 'ask')) return [];
      const isKept = owner === 'client' || carrier === 'metadata' || (isShown && owner === 'loop');
      const count = next.request.input.filter(
        (item) =>
          item['type'] === 'function_call' && asString(item['arguments'])?.includes(`"${call.marker}"`) === true,
      ).length;
      return count > 1 || (isKept && count === 0) ? [`request ${next.index} holds ${call.marker} ${count} times`] : [];
    });
  }),
);

/** Every call in an input has one output behind it, and no output stands alone, whatever the history was. */
export const pairedInputs: Checker = eachLane(({ rounds }) =>
  rounds.flatMap(({ request, index }) => {
    const waiting = new Set<string>();
    const problems: string[] = [];
    for (const item of request.input) {
      const id = asString(item['call_id']) ?? '';
      if (item['type'] === 'function_call') {
        if (waiting.has(id)) problems.push(`call ${id} comes twice`);
        waiting.add(id);
      } else if (item['type'] === 'function_call_output' && !waiting.delete(id))
        problems.push(`output ${id} has no call`);
    }
    for (const id of waiting) problems.push(`call ${id} has no output`);
    return problems.map((problem) => `request ${index}: ${problem}`);
  }),
);

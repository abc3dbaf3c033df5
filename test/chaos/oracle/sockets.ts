import type { JsonObject } from '../../../src/core/json.js';
import { asRecords, asString } from '../../../src/util/guards.js';
import { stableJson } from '../../../src/util/json.js';
import { isLost } from '../model/resends.js';
import type { RoundView } from '../model/rounds.js';
import { type Checker, eachLane } from './checker.js';

/** W2: what the server has in mind is what the whole request says, reasoning aside. */
export const sameContext: Checker = eachLane(({ rounds }) =>
  rounds.flatMap(({ index, wire, request }) => {
    if (wire === undefined) return [];
    const known = plain(wire.context);
    const meant = plain(request.input);
    return known.join('\n') === meant.join('\n')
      ? []
      : [`request ${index} has the server think of ${JSON.stringify(known)}, but means ${JSON.stringify(meant)}`];
  }),
);

/** Items as both sides write them: without ids, statuses and reasoning; each output behind its call. */
function plain(items: readonly JsonObject[]): string[] {
  const isOutput = ({ type }: JsonObject): boolean => type === 'function_call_output';
  return items
    .filter((item) => item['type'] !== 'reasoning' && !isOutput(item))
    .flatMap((item) => [item, ...items.filter((other) => isOutput(other) && other['call_id'] === item['call_id'])])
    .map((item) => {
      if (item['type'] === 'message') return `${asString(item['role'])}: ${textOf(item)}`;
      const { id: _id, status: _status, ...rest } = item;
      return stableJson(rest);
    });
}

function textOf({ content }: JsonObject): string {
  if (typeof content === 'string') return content;
  return asRecords(content)
    .map((part) => asString(part['text']) ?? '')
    .join('');
}

/** What the mode does not know. */
const NOT_SENT: readonly string[] = ['stream', 'background', 'stream_options'];
const OF_THE_MODE: readonly string[] = ['type', 'input', 'previous_response_id'];

/** W2, W3: beside the conversation all is sent every time; what goes on from nothing has all of that as well. */
export const sentFields: Checker = eachLane(({ rounds }) =>
  rounds.flatMap(({ index, wire, request }) => {
    if (wire === undefined) return [];
    const { sent } = wire;
    const problems: string[] = [];
    if (sent['type'] !== 'response.create') problems.push('is no response.create');
    if (fieldsOf(sent, OF_THE_MODE) !== fieldsOf(request.body, [...OF_THE_MODE, ...NOT_SENT]))
      problems.push('has other fields than it means');
    if (asRecords(sent['input']).length === 0) problems.push('says nothing');
    if (
      sent['previous_response_id'] == null &&
      stableJson(sent['input'] ?? null) !== stableJson(request.body['input'] ?? null)
    )
      problems.push('goes on from nothing and is not whole');
    return problems.map((problem) => `request ${index} ${problem}`);
  }),
);

function fieldsOf(body: JsonObject, without: readonly string[]): string {
  return stableJson(Object.fromEntries(Object.entries(body).filter(([name]) => !without.includes(name))));
}

/** W6: what is sent again is sent whole: what was lost on the same connection, all else elsewhere. */
export const sentAgain: Checker = eachLane(({ rounds }) =>
  rounds.flatMap((round, at) => {
    const next = rounds[at + 1];
    if (round.followedBy !== 'resend' || next === undefined) return [];
    const isThere = next.wire?.connection === round.wire?.connection;
    const problems: string[] = [];
    if (next.wire?.sent['previous_response_id'] != null) problems.push('is not whole');
    if (isThere !== isLost(round))
      problems.push(isThere ? 'goes to the same connection' : 'goes to another connection');
    return problems.map((problem) => `request ${next.index}, a repetition, ${problem}`);
  }),
);

/** With `websocket` HTTP is the way out only where there is no socket, or none was of use. */
export const overSockets: Checker = (judged) => {
  const { scenario, observation } = judged;
  const { sockets, lanes } = scenario;
  if (sockets === undefined) return judged.lanes.flatMap(({ rounds }) => rounds.flatMap(strange));
  const isRefused = sockets.upgrades.some((upgrade) => upgrade !== 'open' && upgrade !== 'late');
  if (sockets.mode === 'auto' || isRefused || lanes.length > sockets.max || observation.wasSlow) return [];
  return judged.lanes.flatMap(({ rounds, number }) =>
    rounds.flatMap(({ wire, index }, at) =>
      wire !== undefined || rounds[at - 1]?.followedBy === 'resend'
        ? []
        : [`lane ${number}: request ${index} went over HTTP for nothing`],
    ),
  );
};

function strange({ wire, index }: RoundView): string[] {
  return wire === undefined ? [] : [`request ${index} came over a socket`];
}

/** W9: no socket outlives the provider. */
export const noSocketLeft: Checker = ({ observation: { socketsLeft } }) =>
  socketsLeft === 0 ? [] : [`${socketsLeft} sockets are open after close()`];

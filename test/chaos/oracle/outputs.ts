import type { JsonObject } from '../../../src/core/json.js';
import { asRecords, asString } from '../../../src/util/guards.js';
import { argumentsOf } from '../events.js';
import { losesMcp, isMcp } from '../model/owner.js';
import type { OwnedCall, RoundView } from '../model/rounds.js';
import { boomText, okText } from '../tools.js';
import { type Checker, eachLane, type Judged } from './checker.js';

/** I8: every call of ours has exactly one output in the next input, in output order, right behind its group of calls. */
export const outputs: Checker = eachLane((lane, judged) =>
  lane.rounds.flatMap((round, at) => {
    const next = lane.rounds[at + 1];
    if (round.followedBy !== 'follow' || next === undefined) return [];
    const before = round.request.input;
    const after = next.request.input;
    if (JSON.stringify(after.slice(0, before.length)) !== JSON.stringify(before))
      return [`request ${next.index} does not begin with the input of the one before`];
    const tail = after.slice(before.length).filter((item) => item['type'] !== 'reasoning');
    return [...wrongOutline(tail, round), ...wrongOutputs(tail, round, judged)].map(
      (problem) => `request ${next.index}: ${problem}`,
    );
  }),
);

function wrongOutline(tail: readonly JsonObject[], round: RoundView): string[] {
  const calls = new Map(
    tail.flatMap((item) => (item['type'] === 'function_call' ? [[item['call_id'], nameOf(item)]] : [])),
  );
  const found = tail.map((item) => {
    if (item['type'] === 'function_call') return `call ${nameOf(item)}`;
    if (item['type'] === 'function_call_output') return `output ${String(calls.get(item['call_id']))}`;
    return `says ${textOf(item)}`;
  });
  const { outcome, isUncertain } = round.folded ?? { outcome: 'completed', isUncertain: false };
  const isBroken = outcome === 'truncated' || outcome === 'reset';
  const expected = outlineOf(round);
  // What was said before a stream broke may be replayed or not; calls that were complete have to be.
  const withoutText = (lines: readonly string[]): string[] => lines.filter((line) => !line.startsWith('says '));
  if (isUncertain) return isPossible(withoutText(found), withoutText(expected)) ? [] : [differs(found, expected)];
  const [left, right] = isBroken ? [withoutText(found), withoutText(expected)] : [found, expected];
  return left.join('\n') === right.join('\n') ? [] : [differs(left, right)];
}

/** The calls are the first of those expected, and each has its output in the group behind. */
function isPossible(found: readonly string[], expected: readonly string[]): boolean {
  const calls = found.filter((line) => line.startsWith('call '));
  const wanted = expected.filter((line) => line.startsWith('call '));
  const outputsFound = found.filter((line) => line.startsWith('output ')).map((line) => line.slice(7));
  const names = calls.map((line) => line.slice(5));
  let at = 0;
  const inOrder = calls.every((line) => (at = wanted.indexOf(line, at) + 1) > 0);
  return inOrder && names.join('\n') === outputsFound.join('\n');
}

function differs(found: readonly string[], expected: readonly string[]): string {
  return `holds ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`;
}

function outlineOf({ folded }: RoundView): string[] {
  const lines: string[] = [];
  let group: string[] = [];
  const flush = (): void => {
    lines.push(...group.map((name) => `output ${name}`));
    group = [];
  };
  for (const { item, text, complete } of folded?.items ?? []) {
    if (item.type === 'call') {
      if (!complete) continue;
      const name = `${item.name} ${item.broken ? '{}' : argumentsOf(item)}`;
      lines.push(`call ${name}`);
      group.push(name);
    } else if (item.type === 'text' && text !== '') {
      flush();
      lines.push(`says ${text}`);
    }
  }
  flush();
  return lines;
}

function nameOf(item: JsonObject): string {
  return `${asString(item['name'])} ${asString(item['arguments'])}`;
}

function textOf(item: JsonObject): string {
  return asRecords(item['content'])
    .map((part) => asString(part['text']) ?? '')
    .join('');
}

function wrongOutputs(tail: readonly JsonObject[], round: RoundView, judged: Judged): string[] {
  const texts = tail.flatMap((item) =>
    item['type'] === 'function_call_output'
      ? [typeof item['output'] === 'string' ? item['output'] : JSON.stringify(item['output'])]
      : [],
  );
  // Where the connection broke, which calls came through is judged by the outline; what they gave, by their markers.
  if (round.folded?.isUncertain === true) return [];
  return round.calls.flatMap((owned, at) => {
    const text = texts[at];
    if (text === undefined) return [`${owned.call.marker} has no output`];
    return isRightOutput(text, owned, judged)
      ? []
      : [`${owned.call.marker} (${owned.call.does}) has the output ${JSON.stringify(text.slice(0, 200))}`];
  });
}

function isRightOutput(text: string, { call, owner }: OwnedCall, { scenario, observation }: Judged): boolean {
  const { marker, does, name, broken } = call;
  const { maxToolCalls, maxToolOutputChars } = scenario.settings;
  if (maxToolCalls !== undefined && text.startsWith('Not run: the limit on tool calls')) return true;
  if (isMcp(name) && (losesMcp(scenario) || observation.wasSlow)) return text !== '';
  if (owner === 'unknown') return text.includes('There is no tool named');
  if (broken) return text.includes('not valid JSON');
  if (text.length > maxToolOutputChars + 200) return false;
  if (observation.wasSlow && text.includes('timed out')) return true;
  if (name === 'echo') return text.includes(marker);
  if (does === 'ok' || does === 'slow' || does === 'huge') return text.startsWith(okText(marker));
  if (does === 'throw' || does === 'reject' || does === 'is-error' || does === 'leak')
    return text.includes(boomText(marker));
  if (does === 'hang' || does === 'deaf') return text.includes('timed out');
  return text !== '';
}

import type { ScriptedRequest } from 'responses-loop/testing';
import type { Finding } from '../oracle/oracle.js';
import { logText, type MadeCall, SLOW } from './model.js';
import type { LongRunObservation, PlayedTurn } from './play.js';
import type { LongRun } from './scenario.js';
import { asString } from '../../../src/util/guards.js';

type Check = (scenario: LongRun, observation: LongRunObservation) => readonly string[];

/** The mark of a cut and the lines around a range come on top of a budget. */
const MARK_CHARS = 400;

const CHECKS: readonly (readonly [invariant: string, check: Check])[] = [
  ['I12', ({ seed }, { hung }) => (hung ? [`a call of seed ${seed} did not end`] : [])],
  [
    'I8',
    (_, observation) => observation.model.requests.flatMap((request, at) => brokenPairs(request, at, observation)),
  ],
  ['I8', (_, { runs }) => runs.filter((id, at) => runs.indexOf(id) !== at).map((id) => `${id} ran twice`)],
  ['I19', doubledResults],
  ['I23', longOutputs],
  ['I33', wrongRanges],
  ['I33', lostResults],
  ['cache', changedTools],
  ['I33', unfoundTools],
  ['end', unexpectedErrors],
];

export function judgeLongRun(scenario: LongRun, observation: LongRunObservation): Finding[] {
  return CHECKS.flatMap(([invariant, check]) =>
    check(scenario, observation).map((problem) => ({ invariant, problem })),
  );
}

const outputsOf = ({ input }: ScriptedRequest): (readonly [callId: string, text: string])[] =>
  input
    .filter((item) => item['type'] === 'function_call_output')
    .map(({ call_id, output }) => [
      asString(call_id) ?? '',
      typeof output === 'string' ? unquoted(output) : JSON.stringify(output),
    ]);

/** A history that has results as values sends a text as JSON. */
function unquoted(output: string): string {
  const value: unknown = output.startsWith('"') ? JSON.parse(output) : output;
  return typeof value === 'string' ? value : output;
}

/** Each output has its call before it, once; a call without one is an async call of this turn. */
function brokenPairs({ input }: ScriptedRequest, at: number, { model, turns }: LongRunObservation): string[] {
  const called = new Set<string>();
  const answered = new Set<string>();
  const problems: string[] = [];
  for (const item of input) {
    const id = asString(item['call_id']) ?? '';
    if (item['type'] === 'function_call') called.add(id);
    if (item['type'] !== 'function_call_output') continue;
    if (!called.has(id)) problems.push(`request ${at}: the output of ${id} comes before its call`);
    if (answered.has(id)) problems.push(`request ${at}: ${id} has two outputs`);
    answered.add(id);
  }
  const turn = turns.findIndex(({ requests: [from, to] }) => at >= from && at < to);
  const mayWait = (id: string): boolean =>
    model.made.some((call) => call.callId === id && call.name === SLOW && (call.turn === turn || turn < 0));
  const open = [...called].filter((id) => !answered.has(id) && !mayWait(id));
  return [...problems, ...open.map((id) => `request ${at}: No tool output found for ${id}`)];
}

/** A call that is shown has one result. */
function doubledResults(_: LongRun, { turns }: LongRunObservation): string[] {
  return turns.flatMap(({ parts }, turn) => {
    const shown = parts.filter(({ type, preliminary }) => type === 'tool-result' && preliminary !== true);
    const ids = shown.map(({ toolCallId }) => asString(toolCallId) ?? '');
    return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `turn ${turn} shows two results of ${id}`);
  });
}

function longOutputs({ maxToolOutputChars }: LongRun, { model }: LongRunObservation): string[] {
  return model.requests.flatMap((request, at) =>
    outputsOf(request)
      .filter(([, text]) => text.length > maxToolOutputChars + MARK_CHARS)
      .map(([id, text]) => `request ${at}: ${id} has ${text.length} characters`),
  );
}

/** A range that was read is that range of the text that was cut. */
function wrongRanges(_: LongRun, { model }: LongRunObservation): string[] {
  const texts = new Map<string, string>();
  const problems: string[] = [];
  for (const [callId, text] of new Map(model.requests.flatMap(outputsOf))) {
    const call = model.made.find((one) => one.callId === callId);
    const cut = /"id":"(out_\w+)"/.exec(text)?.[1];
    if (call?.move.call === 'log' && cut !== undefined) texts.set(cut, logText(callId, call.move.chars));
  }
  for (const [callId, text] of new Map(model.requests.flatMap(outputsOf))) {
    const found = /^\[characters (\d+) to (\d+) of (\d+)\]\n/.exec(text);
    if (found === null) continue;
    const [head, from, to, length] = [found[0], ...found.slice(1).map(Number)] as [string, number, number, number];
    const body = text.slice(head.length).replace(/\n\[to go on: "from": \d+\]$/, '');
    const original = [...texts.values()].find((one) => one.length === length && one.slice(from, to) === body);
    if (original === undefined)
      problems.push(`${callId} read ${from} to ${to} of ${length} characters, which are not those`);
  }
  return problems;
}

/** What ran is in the history of the next turn, however late it ended. */
function lostResults({ store }: LongRun, { model, runs, turns }: LongRunObservation): string[] {
  return turns.flatMap(({ requests: [, to] }, turn) => {
    const next = model.requests[to];
    if (next === undefined) return [];
    const outputs = new Map(outputsOf(next));
    const lost = model.made.filter(
      (call) =>
        call.turn <= turn &&
        ['slow', 'quick', 'kept'].includes(call.move.call) &&
        runs.includes(call.callId) &&
        !isTold(outputs.get(call.callId), call),
    );
    return lost.map(({ callId }) => `turn ${turn + 1} does not have the result of ${callId}`);
  });

  function isTold(output: string | undefined, { callId, move, name }: MadeCall): boolean {
    // A store of the app that fails has nothing, and the model reads that.
    if (store === 'fails' && name === SLOW && output?.includes('still running') === true) return true;
    return output?.includes(`${move.call} ${callId}`) === true;
  }
}

/** The tools of a request are the first of the next: the server's cache keeps them. */
function changedTools(_: LongRun, { model, turns }: LongRunObservation): string[] {
  return turns.flatMap(({ requests: [from, to] }) =>
    model.requests.slice(from, to).flatMap((request, at, all) => {
      const next = all[at + 1];
      if (next === undefined || next.body['tools'] === undefined) return [];
      const [before, after] = [namesOf(request), namesOf(next)];
      return before.every((name, place) => after[place] === name)
        ? []
        : [`request ${from + at + 1} offers ${after.join(' ')} behind ${before.join(' ')}`];
    }),
  );
}

const namesOf = ({ body }: ScriptedRequest): string[] =>
  ((body['tools'] ?? []) as readonly { readonly name?: string }[]).map(({ name }) => name ?? '');

/** A tool that was found by its whole name is offered from the next round on. */
function unfoundTools(_: LongRun, { model, turns }: LongRunObservation): string[] {
  return model.made.flatMap((call) => {
    if (call.name !== 'search_tools' || call.move.call !== 'search') return [];
    const turn = turns.find(({ requests: [from, to] }) => call.request >= from && call.request < to);
    const followers = turn === undefined ? [] : model.requests.slice(call.request + 1, turn.requests[1]);
    const next = followers.find((request) => outputsOf(request).some(([id]) => id === call.callId));
    const found =
      next === undefined ? [] : [...(new Map(outputsOf(next)).get(call.callId) ?? '').matchAll(/kept_tool_[a-h]/g)];
    const missing = found.map(([name]) => name).filter((name) => next !== undefined && !namesOf(next).includes(name));
    return missing.map((name) => `${name} was found and is not offered`);
  });
}

/** Without a failure of the server a call ends with an answer. */
function unexpectedErrors(scenario: LongRun, { turns }: LongRunObservation): string[] {
  return turns.flatMap((turn: PlayedTurn, at) => {
    const mayFail = scenario.turns[at]?.some(({ kind }) => kind !== 'calls') === true;
    const failed = turn.error ?? turn.parts.find(({ type }) => type === 'error');
    return failed === undefined || mayFail ? [] : [`turn ${at} ended with ${JSON.stringify(failed)}`];
  });
}

/** What a campaign met, so that a row that is never drawn is seen. */
export function longRunTraits(scenario: LongRun, { model }: LongRunObservation): string[] {
  const outputs = model.requests.flatMap(outputsOf);
  const has = (name: string, is: boolean): string[] => (is ? [name] : []);
  return [
    'long run',
    ...has(
      'output cut',
      outputs.some(([, text]) => text.includes('[output cut:')),
    ),
    ...has(
      'range read',
      outputs.some(([, text]) => text.startsWith('[characters ')),
    ),
    ...has(
      'tool found',
      model.requests.some((request) => namesOf(request).some((name) => name.startsWith('kept_tool_'))),
    ),
    ...has(
      'call left open',
      model.requests.some((request) => openIn(request, model.made)),
    ),
    ...has(
      'text continued',
      scenario.maxContinuations > 0 && scenario.turns.flat().some(({ kind }) => kind === 'breaks'),
    ),
  ];
}

function openIn(request: ScriptedRequest, made: readonly MadeCall[]): boolean {
  const answered = new Set(outputsOf(request).map(([id]) => id));
  return request.input.some(
    (item) =>
      item['type'] === 'function_call' &&
      !answered.has(asString(item['call_id']) ?? '') &&
      made.some(({ callId, name }) => callId === item['call_id'] && name === SLOW),
  );
}

import type { JsonObject } from '../../../../src/core/json.js';
import { asRecords, asString } from '../../../../src/util/guards.js';
import { wrongInput } from '../../oracle/input.js';
import type { Post } from '../observation.js';
import { AGREED } from '../replay.js';
import type { HostileScenario, HostileSettings } from '../scenario.js';
import { liesIn } from '../words.js';
import { type Attacked, type HostileChecker, leavesOf } from './checker.js';
import { plain } from '../../plain.js';

/** I22: every item that is sent is what a message of its role may say, whatever was posted. */
export const rolesAndTypes: HostileChecker = ({ observation: { posts, prompt } }) => {
  const said = saidBy(prompt);
  return eachPost(posts, ({ input }) => wrongInput(input, said));
};

function eachPost(posts: readonly Post[], check: (post: Post) => string[]): string[] {
  return posts.flatMap((post, at) => check(post).map((problem) => `request ${at}: ${problem}`));
}

/** Who said what in the prompt, and to which requests it has an answer. */
function saidBy(prompt: readonly JsonObject[]): Parameters<typeof wrongInput>[1] {
  const texts = (role: string): Set<string> =>
    new Set(
      prompt
        .filter((message) => message['role'] === role)
        .flatMap((message) => leavesOf(message['content']).map(({ text }) => text)),
    );
  const contents = prompt.flatMap((message) => asRecords(message['content']));
  const denials = contents.flatMap((part) => leavesOf(part['output']).map(({ text }) => text));
  const answers = contents.flatMap((part) =>
    part['type'] === 'tool-approval-response' ? [String(part['approvalId'])] : [],
  );
  return { system: texts('system'), user: texts('user'), answered: new Set([...answers, ...denials]) };
}

/** Items of a call's own kind, which may stand in the place of a function call. */
const CALLS = /^(function|custom_tool|local_shell|shell|apply_patch|computer|mcp|web_search|file_search)_call$/;

/** A search for tools may be the client's call too, where items that a server may have run are taken at all. */
const OPEN_CALLS = new RegExp(`${CALLS.source}|^tool_search_call$`);

type Where = (settings: HostileSettings) => RegExp | undefined;

const isOpen = ({ carrier, secret }: HostileSettings): boolean => carrier !== 'none' && secret === undefined;
const NOWHERE = undefined;
const ANYWHERE = /^/;

/** By the place of a lie: the types of items it may reach, if any. What a history shows is the client's own word. */
const LIES: Readonly<Record<string, Where>> = {
  call: () => CALLS,
  result: () => /_output$/,
  output: () => /_output$/,
  carrier: (settings) => (isOpen(settings) ? ANYWHERE : NOWHERE),
  hosted: (settings) => (isOpen(settings) ? ANYWHERE : NOWHERE),
  item: (settings) => (isOpen(settings) ? OPEN_CALLS : settings.secret === undefined ? CALLS : NOWHERE),
  raw: ({ secret }) => (secret === undefined ? CALLS : NOWHERE),
  sealed: ({ secret }) => (secret === undefined ? /^reasoning$/ : NOWHERE),
  'stock-sealed': () => /^reasoning$/,
  'stock-call': () => CALLS,
  // A label of the text, which is the client's own word as well.
  phase: () => /^message$/,
  'stock-compaction': ({ secret }) => (secret === undefined ? /^compaction$/ : NOWHERE),
  tampered: ({ secret }) => (secret === undefined ? ANYWHERE : NOWHERE),
};

/** I22: no lie is sent from where nothing may be read: without a signature, with `carrier: 'none'`, from unknown members. */
export const noLies: HostileChecker = ({ scenario, observation: { posts } }) =>
  eachPost(posts, ({ body, input }) => {
    const besides = leavesOf({ ...body, input: [] }).filter(({ text }) => liesIn(text).length > 0);
    return [
      ...input.flatMap((item, at) => {
        const lies = liesOf(item, scenario);
        return lies.length === 0 ? [] : [`item ${at} (${plain(item['type'])}) holds ${lies.join(', ')}`];
      }),
      ...besides.map(({ path, text }) => `${path.join('.')} holds ${text.slice(0, 100)}`),
    ];
  });

function liesOf(item: JsonObject, { settings, replay }: HostileScenario): string[] {
  const type = asString(item['type']) ?? '';
  return leavesOf(item).flatMap(({ path, text }) => {
    const wrong = liesIn(text).filter(({ place }) => {
      // The input that a client shows for a call is its own word, unless a tool runs with it.
      if (place === 'tampered' && replay?.tamper === 'input' && CALLS.test(type)) return false;
      const where = Object.hasOwn(LIES, place) ? LIES[place]?.(settings) : NOWHERE;
      return where?.test(type) !== true;
    });
    return wrong.map((found) => `${found.text} in ${path.join('.')}`);
  });
}

/** I22: with a secret nothing runs for an approval that was not signed, and nothing but what was agreed to. */
export const approvedRuns: HostileChecker = (attacked) => {
  const { scenario, observation } = attacked;
  const { secret } = scenario.settings;
  const problems: string[] = [];
  const payments = observation.runs.filter(({ tool }) => tool === 'pay');
  for (const { tool, args } of observation.runs) {
    const isPosted = liesIn(JSON.stringify(args)).length > 0;
    if (isPosted && secret !== undefined)
      problems.push(`${tool} ran for a call that was made up: ${JSON.stringify(args)}`);
    // Where nothing asks, an approval in a history runs nothing.
    else if (isPosted && tool !== 'pay') problems.push(`${tool} ran although nothing asks about it`);
  }
  return [...problems, ...(secret === undefined ? [] : wrongPayments(attacked, payments))];
};

function wrongPayments({ scenario }: Attacked, payments: Attacked['observation']['runs']): string[] {
  const { replay } = scenario;
  if (replay === undefined) return payments.length === 0 ? [] : ['pay ran without an approval'];
  const wrong = payments.filter(({ args }) => JSON.stringify(args) !== AGREED);
  const isFree = replay.tamper !== 'forged-id' && replay.approves && scenario.version !== 'v2';
  return [
    ...wrong.map(({ args }) => `pay ran with ${JSON.stringify(args)}, but agreed was ${AGREED}`),
    ...(payments.length > 1 ? [`pay ran ${payments.length} times`] : []),
    ...(payments.length > 0 && !isFree ? ['pay ran without a signed approval'] : []),
  ];
}

/** An honest history is worth what it says: what was approved runs once, and hidden calls are sent again. */
export const honestWorks: HostileChecker = ({ scenario, observation }) => {
  const { replay, version, settings } = scenario;
  if (replay?.tamper !== 'nothing') return [];
  const isShown = settings.toolParts === 'all';
  const payments = observation.runs.filter(({ tool }) => tool === 'pay').length;
  // A call that is not shown cannot be asked about.
  const expected = version !== 'v2' && isShown && replay.approves ? 1 : 0;
  const kept = observation.posts[0]?.input.some((item) => asString(item['arguments'])?.includes('M.first.0')) === true;
  return [
    ...(payments === expected ? [] : [`an honest approval ran pay ${payments} times instead of ${expected}`]),
    ...(kept || (!isShown && settings.carrier === 'none') ? [] : ['the call that was hidden is not sent again']),
  ];
};

/** A check of arguments that gives up refuses. */
export const checkedArguments: HostileChecker = ({ observation: { runs } }) =>
  runs.flatMap(({ tool, args }) =>
    args['path'] === undefined || args['path'] === '/data' ? [] : [`${tool} ran with the path ${plain(args['path'])}`],
  );

import { DEFAULT_LIMITS } from '../../../../src/core/limits.js';
import { asRecords } from '../../../../src/util/guards.js';
import type { Post } from '../observation.js';
import type { HostileScenario, SaysAnswer } from '../scenario.js';
import { type Attacked, codeOf, eachOutcome, type HostileChecker, messageOf } from './checker.js';
import { plain } from '../../plain.js';

const limitsOf = ({ settings }: HostileScenario) => ({ ...DEFAULT_LIMITS, ...settings.limits });

/** I23: requests of one round, whatever they were for. */
export const requestsOfRound: HostileChecker = ({ scenario, observation }) => {
  const { requestsPerRound } = limitsOf(scenario);
  const counts = new Map<string, number>();
  for (const event of observation.events) {
    if (event.type !== 'request') continue;
    const round = `round ${event.round} of call ${event.callNumber}`;
    counts.set(round, (counts.get(round) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > requestsPerRound)
    .map(([round, count]) => `${count} requests for ${round}, allowed are ${requestsPerRound}`);
};

/** I23: of a round with too many calls none runs, and the call ends with an error that names the limit. */
export const callsOfRound: HostileChecker = ({ scenario, observation }) => {
  const { callsPerRound } = limitsOf(scenario);
  const tooMany = observation.posts.filter(({ answer }) => saysTooMuch(answer, callsPerRound));
  if (tooMany.length === 0) return [];
  const answer = tooMany[0]?.answer as SaysAnswer;
  const markers = new Set(answer.calls.map(({ marker }) => marker));
  const ran = observation.runs.filter(({ args }) => markers.has(String(args['m'])));
  // What only reads may have started while the model still wrote.
  const wrong = ran.filter(({ tool }) => tool !== 'look' || answer.form === 'json');
  const [outcome] = observation.outcomes;
  return [
    ...wrong.map(({ tool, args }) => `${tool} ${String(args['m'])} ran, one of ${answer.calls.length} calls`),
    ...(ran.length > callsPerRound ? [`${ran.length} calls ran, allowed are ${callsPerRound}`] : []),
    ...(codeOf(outcome?.error) === 'limit' ? [] : [`ended with ${messageOf(outcome?.error)}, not with the code limit`]),
    ...(observation.posts.at(-1) === tooMany[0] ? [] : ['another round followed']),
  ];
};

function saysTooMuch(answer: Post['answer'], limit: number): boolean {
  return answer?.kind === 'says' && answer.calls.length > limit;
}

/** What may be read beyond the limit: what was on its way already. */
const SLACK_BYTES = 300_000;

/** I23: an endless body is given up; a page that is no answer at its first bytes. */
export const bytesRead: HostileChecker = ({ scenario, observation: { posts } }) => {
  const { messageBytes } = limitsOf(scenario);
  return posts.flatMap(({ answer, meter }, at) => {
    if (answer?.kind !== 'endless' || answer.of === 'comments') return [];
    const most = (answer.of === 'html' ? 0 : messageBytes) + SLACK_BYTES;
    return meter.taken <= most
      ? []
      : [`${meter.taken} bytes of answer ${at} (${answer.of}) were read, allowed are ${most}`];
  });
};

/** I23: what was spent is said with the limit and its setting, and is not tried again. */
export const namesTheLimit: HostileChecker = eachOutcome(({ error }) => {
  if (codeOf(error) !== 'limit') return [];
  const isRetryable =
    typeof error === 'object' && error !== null && 'isRetryable' in error && error.isRetryable === true;
  return [
    ...(isRetryable ? ['the error of a limit may be retried'] : []),
    ...(/\b(?:limits|timeouts)\.\w+/.test(messageOf(error)) ? [] : [`"${messageOf(error)}" names no setting`]),
  ];
});

/** I23: what one MCP server adds to a request. */
export const toolsOfServer: HostileChecker = ({ scenario, observation }) => {
  if (scenario.mcp === undefined) return [];
  const { toolsPerServer, descriptionChars, schemaChars } = limitsOf(scenario);
  return observation.posts.flatMap(({ body }, at) => {
    const own = new Set(['look', 'act', 'pay', 'ask']);
    const tools = asRecords(body['tools']).filter((tool) => !own.has(String(tool['name'])));
    const long = tools.filter((tool) => plain(tool['description'] ?? '').length > descriptionChars + 200);
    const wide = tools.filter((tool) => JSON.stringify(tool['parameters'] ?? {}).length > schemaChars + 200);
    return [
      ...(tools.length > toolsPerServer ? [`request ${at} offers ${tools.length} tools of a server`] : []),
      ...long.map((tool) => `request ${at}: the description of ${String(tool['name']).slice(0, 40)} is too long`),
      ...wide.map((tool) => `request ${at}: the schema of ${String(tool['name']).slice(0, 40)} is too long`),
    ];
  });
};

/** I23: outputs and errors of tools that the model reads. */
export const outputSize: HostileChecker = ({ scenario, observation }) => {
  const { errorChars } = limitsOf(scenario);
  const isError = scenario.mcp?.call === 'long-error' || scenario.mcp?.call === 'is-error';
  const most = (isError ? errorChars : scenario.settings.maxToolOutputChars) + 500;
  if (scenario.mcp === undefined) return [];
  return observation.posts.flatMap(({ input }, at) =>
    input.flatMap((item) => {
      const { output } = item;
      const length = typeof output === 'string' ? output.length : JSON.stringify(output ?? '').length;
      return item['type'] === 'function_call_output' && length > most
        ? [`request ${at}: an output of ${length} characters, allowed are ${most}`]
        : [];
    }),
  );
};

/** A server that misbehaves costs only its own tools. */
export const goesOn: HostileChecker = ({ scenario, observation }: Attacked) => {
  if (scenario.attack !== 'mcp') return [];
  return observation.outcomes.flatMap(({ error, finishReason }) =>
    finishReason === 'stop' && error === undefined ? [] : [`ended with ${finishReason} ${messageOf(error)}`],
  );
};

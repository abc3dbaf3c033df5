import type { Dice } from '../dice.js';
import type { Answer, CutInside, Echo, EchoPlace, ErrorAnswer, ErrorShape, SaidCall, SaysAnswer } from './scenario.js';
import { MEANINGFUL } from './words.js';

const SHAPES: readonly ErrorShape[] = [
  ...([
    'openai',
    'openai',
    'openai',
    'flat',
    'detail',
    'fastapi',
    'text-member',
    'array',
    'html',
    'plain',
    'xml',
  ] as const),
  ...(['json-string', 'deep', 'sse', 'empty'] as const),
];
const STATUSES = [400, 400, 400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 529, 307, 204];
const PLACES: readonly EchoPlace[] = [
  ...(['text', 'header', 'header-name', 'response-id', 'service-tier', 'incomplete-reason', 'error-message'] as const),
  ...(['error-code', 'unknown-event', 'item-id', 'annotation', 'no-json'] as const),
];

export function says(text: string, rest: Partial<SaysAnswer> = {}): SaysAnswer {
  return { kind: 'says', form: 'sse', text, calls: [], echoes: [], status: 'completed', ...rest };
}

export function calls(dice: Dice, name: string, count: number): SaidCall[] {
  return Array.from({ length: count }, (_, at) => ({
    name: dice.pick(['look', 'look', 'act'] as const),
    marker: `M.${name}.${at}`,
  }));
}

/** An ordinary answer, sometimes with calls of ours. */
export function generateSays(dice: Dice, name: string): SaysAnswer {
  return says(`answer ${name}`, {
    form: dice.chance(0.2) ? 'json' : 'sse',
    calls: dice.chance(0.5) ? calls(dice, name, dice.between(1, 3)) : [],
  });
}

/** A response that repeats what it was sent. */
export function generateEcho(dice: Dice): SaysAnswer {
  return says('answer', {
    form: dice.chance(0.3) ? 'json' : 'sse',
    echoes: Array.from({ length: dice.between(1, 3) }, () => dice.pick(PLACES)),
    status: dice.weighted([
      [4, 'completed'],
      [3, 'failed'],
      [3, 'incomplete'],
    ]),
    ...cut(dice, 0.15),
  });
}

export function generateError(dice: Dice, { quotes }: { readonly quotes: boolean }): ErrorAnswer {
  const isMachineReadable = !quotes && dice.chance(0.3);
  return {
    kind: 'error',
    status: dice.pick(quotes ? [400, 404, 422] : STATUSES),
    shape: dice.pick(SHAPES),
    echo: quotes ? dice.pick<Echo>(['prompt', 'prompt', 'body']) : dice.pick<Echo>(['key', 'key', 'headers', 'body']),
    padding: dice.pick([0, 0, dice.below(40), 100 + dice.below(130), 900 + dice.below(200), 3_900 + dice.below(200)]),
    ...(isMachineReadable
      ? {
          code: dice.pick(['unsupported_parameter', 'unknown_parameter', 'invalid_api_key', 'rate_limit_exceeded']),
          param: dice.pick(['temperature', 'store', 'safety_identifier', 'tools[0]', 'input[0]']),
        }
      : {}),
    headers: dice.chance(0.2) ? retryAfter(dice) : {},
    echoesInHeaders: dice.chance(0.3),
    ...cut(dice, 0.35),
  };
}

function cut(dice: Dice, chance: number): { cut?: CutInside } {
  if (!dice.chance(chance)) return {};
  return { cut: { at: dice.below(48), ending: dice.chance(0.5) ? 'end' : 'reset' } };
}

const DATES = ['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', '2001-05-01', 'yesterday'];
const NUMBERS = ['0', '-5', '-0.5', '0.01', '1', '1e3', '1e20', '99999999999999999999', 'NaN', 'Infinity', '0x10'];
const NONSENSE = ['', ' ', 'soon', '5, 10', '1;2', '--', '1.2.3', '00:05', 'null'];

/** Every way of asking to be left alone, and of not asking. */
function retryAfter(dice: Dice): Record<string, string> {
  const value = dice.pick([...NUMBERS, ...NUMBERS, ...DATES, ...NONSENSE]);
  return dice.pick<Record<string, string>>([
    { 'retry-after': value },
    { 'retry-after': value },
    { 'retry-after-ms': value },
    { 'retry-after-ms': value, 'retry-after': dice.pick(NUMBERS) },
    {
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': dice.pick([value, '0s', '-1s', '6m0s', '1ms']),
    },
    { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': dice.pick([value, '0ms', '9999999h']) },
    { 'x-should-retry': dice.pick(['true', 'false', 'maybe']), 'retry-after': value },
    {},
  ]);
}

/** An error for every request. */
export function generateStorm(dice: Dice): ErrorAnswer {
  const [status, code, param] = dice.pick([
    [429, 'rate_limit_exceeded', undefined],
    [429, 'insufficient_quota', undefined],
    [401, 'invalid_api_key', undefined],
    [403, 'forbidden', undefined],
    [500, 'server_error', undefined],
    [503, 'overloaded', undefined],
    [400, 'unsupported_parameter', 'temperature'],
    [400, 'invalid_request_error', 'tools[0]'],
    [400, 'invalid_encrypted_content', undefined],
  ] as const);
  return {
    kind: 'error',
    status,
    shape: 'openai',
    echo: 'nothing',
    padding: 0,
    code,
    ...(param === undefined ? {} : { param }),
    headers: retryAfter(dice),
    echoesInHeaders: false,
  };
}

export function quotedWords(dice: Dice): string {
  return dice.pick(MEANINGFUL);
}

export function isError(answer: Answer): answer is ErrorAnswer {
  return answer.kind === 'error';
}

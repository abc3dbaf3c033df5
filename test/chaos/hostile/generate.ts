import type { Limits } from '../../../src/core/limits.js';
import { createDice, type Dice } from '../dice.js';
import { calls, generateEcho, generateError, generateSays, generateStorm, quotedWords, says } from './answers.js';
import { generateHistory, user } from './histories.js';
import { generateMcp } from './generate-mcp.js';
import { generateQuantity } from './quantities.js';
import type { Answer, Attack, EndlessAnswer, HostileScenario, HostileSettings, Tamper, Version } from './scenario.js';

type Plan = Partial<Omit<HostileScenario, 'settings'>> & { readonly settings?: Partial<HostileSettings> };

/** How often each attack is made, and what it adds to an ordinary call. */
const ATTACKS: { readonly [A in Attack]: readonly [weight: number, plan: (dice: Dice) => Plan] } = {
  history: [30, planHistory],
  replay: [14, planReplay],
  echo: [26, planEcho],
  quantity: [2.5, generateQuantity],
  body: [6, planBody],
  storm: [6, planStorm],
  calls: [6, planCalls],
  mcp: [9.5, planMcp],
};

export function generateHostile(seed: number): HostileScenario {
  const dice = createDice(seed);
  const names = Object.keys(ATTACKS) as Attack[];
  const attack = dice.weighted(names.map((name) => [ATTACKS[name][0], name] as const));
  const plan = ATTACKS[attack][1](dice);
  return {
    version: dice.pick<Version>(['v2', 'v3', 'v4']),
    method: dice.chance(0.75) ? 'doStream' : 'doGenerate',
    posted: [user('Hello.')],
    answers: [],
    repeatsLast: false,
    calls: 1,
    tools: 0,
    modelId: 'chaos-model',
    isHeavy: false,
    ...plan,
    seed,
    attack,
    settings: { ...generateSettings(dice), ...plan.settings },
  };
}

function generateSettings(dice: Dice): HostileSettings {
  return {
    backend: dice.pick(['generic', 'openai', 'openai', 'llamacpp', 'openrouter']),
    carrier: dice.chance(0.65) ? 'metadata' : 'none',
    ...(dice.chance(0.45) ? { secret: 'historySecret' } : {}),
    toolParts: dice.pick(['declared', 'all', 'none']),
    json: dice.chance(0.1),
    toolConcurrency: dice.pick(['auto', 'auto', 1, 3]),
    keys: {
      count: dice.weighted([
        [6, 1],
        [3, 3],
        [1, 12],
      ]),
      prefix: dice.pick(['sk-', 'sk-proj-', 'sk-live-', 'key_', '']),
      given: dice.chance(0.8) ? 'list' : 'function',
    },
    maxRetries: dice.below(3),
    limits: dice.chance(0.4) ? generateLimits(dice) : {},
    maxToolOutputChars: dice.chance(0.3) ? 300 : 200_000,
    commentsMs: 900_000,
  };
}

function generateLimits(dice: Dice): Partial<Limits> {
  return {
    ...(dice.chance(0.5) ? { requestsPerRound: dice.between(1, 5) } : {}),
    ...(dice.chance(0.5) ? { messageBytes: dice.between(20_000, 200_000) } : {}),
    ...(dice.chance(0.3) ? { errorChars: dice.between(50, 1_000) } : {}),
    ...(dice.chance(0.3) ? { jsonDepth: dice.between(5, 60) } : {}),
  };
}

function planHistory(dice: Dice): Plan {
  const answers: Answer[] = dice.chance(0.25) ? [generateError(dice, { quotes: false })] : [];
  return { posted: generateHistory(dice), answers: [...answers, generateSays(dice, 'h')] };
}

const TAMPERS: readonly Tamper[] = [
  ...(['nothing', 'leaf', 'leaf', 'leaf', 'remove', 'text', 'input', 'name', 'twice', 'swap', 'forged-id'] as const),
  'other-id',
];

/** The answers of the first call are always the same; what hangs on it is the product's own. */
function planReplay(dice: Dice): Plan {
  return {
    version: dice.pick<Version>(['v2', 'v3', 'v3', 'v4', 'v4']),
    replay: { tamper: dice.pick(TAMPERS), at: dice.below(100), approves: dice.chance(0.8) },
    answers: [says('go on')],
    settings: {
      limits: {},
      json: false,
      toolParts: dice.pick(['all', 'all', 'declared', 'none']),
      ...(dice.chance(0.75) ? { secret: 'historySecret' } : {}),
    },
  };
}

function planEcho(dice: Dice): Plan {
  const quotes = dice.chance(0.4);
  const errors = Array.from({ length: dice.between(1, 3) }, () => generateError(dice, { quotes }));
  const echoes = quotes || dice.chance(0.5) ? [] : [generateEcho(dice)];
  const first = dice.chance(0.3) ? [says('let me look', { calls: calls(dice, 'e', 1) })] : [];
  return {
    posted: [user(quotes ? quotedWords(dice) : 'Hello.')],
    answers: [...first, ...(dice.chance(0.3) ? [...echoes, ...errors] : [...errors, ...echoes])],
    repeatsLast: dice.chance(0.3),
    tools: dice.chance(0.2) ? 3 : 0,
  };
}

const ENDLESS: readonly EndlessAnswer['of'][] = [
  ...([
    'html',
    'html',
    'json',
    'array',
    'line',
    'data-lines',
    'comments',
    'blanks',
    'error-html',
    'error-json',
  ] as const),
];

function planBody(dice: Dice): Plan {
  const of = dice.pick(ENDLESS);
  const first = dice.chance(0.2) ? [says('let me look', { calls: calls(dice, 'b', 1) })] : [];
  return {
    answers: [...first, { kind: 'endless', of, chunkBytes: dice.pick([1_000, 16_000, 64_000]) }],
    repeatsLast: true,
    // A stream of comments is given up by its time, and has to be awaited.
    settings: {
      commentsMs: of === 'comments' ? 150 : 900_000,
      limits: { messageBytes: dice.between(50_000, 2_000_000) },
      maxRetries: dice.below(2),
    },
  };
}

function planStorm(dice: Dice): Plan {
  const isBig = dice.chance(0.05);
  return {
    answers: [generateStorm(dice)],
    repeatsLast: true,
    calls: isBig ? 200 : dice.between(1, 8),
    tools: dice.pick([0, 3, 30]),
    settings: {
      keys: { count: isBig ? 50 : dice.between(1, 20), prefix: 'sk-', given: 'list' },
      limits: dice.chance(0.5) ? {} : { requestsPerRound: dice.between(1, 6) },
    },
  };
}

/** More calls in a round than are allowed, or just as many. */
function planCalls(dice: Dice): Plan {
  const limit = dice.between(1, 8);
  const count = dice.pick([limit, limit + 1, limit + 1, limit * 3]);
  const before = dice.chance(0.3) ? [says('first', { calls: calls(dice, 'first', 1) })] : [];
  return {
    answers: [...before, says('many', { form: dice.chance(0.3) ? 'json' : 'sse', calls: calls(dice, 'many', count) })],
    settings: { limits: { callsPerRound: limit } },
  };
}

function planMcp(dice: Dice): Plan {
  const { mcp, limits } = generateMcp(dice);
  const answer = says('let me ask', { calls: [{ name: 'mcp__hi', marker: 'M.mcp.0' }, ...calls(dice, 'm', 1)] });
  return { mcp, answers: [answer, ...(dice.chance(0.3) ? [answer] : [])], settings: { limits } };
}

import { createDice, type Dice } from './dice.js';
import { timeLimits } from './time-limits.js';
import { type Frame, generateFrame } from './generate-frame.js';
import { type ExchangePlan, generateExchange } from './generate-exchange.js';
import { overSockets } from './sockets/generate.js';
import type { AbortPlan, Exchange, HttpErrorExchange, Lane, Scenario, Via } from './scenario.js';

export function generateScenario(seed: number): Scenario {
  const dice = createDice(seed);
  const frame = generateFrame(dice);
  const lanes = Array.from({ length: frame.lanes }, (_, at) => generateLane(dice, frame, at));
  const scenario: Scenario = {
    seed,
    settings: { ...frame.settings, ...timeLimits(lanes) },
    ...(frame.mcp === undefined ? {} : { mcp: frame.mcp }),
    lanes,
    replay: frame.mcp?.kind !== 'stdio' && dice.chance(0.2),
  };
  return dice.chance(0.5) ? overSockets(dice, scenario) : scenario;
}

function generateLane(dice: Dice, frame: Frame, lane: number): Lane {
  const via = dice.weighted<Via>([
    [55, 'doStream'],
    [20, 'doGenerate'],
    [17, 'streamText'],
    [8, 'generateText'],
  ]);
  const ending = dice.weighted<'runs' | 'abort' | 'cancel'>([
    [72, 'runs'],
    [22, 'abort'],
    [6, 'cancel'],
  ]);
  const abort = ending === 'abort' ? generateAbort(dice) : undefined;
  const hasClientTool = dice.chance(0.3);
  return {
    via,
    toolChoice: dice.weighted([
      [80, 'auto'],
      [8, 'required'],
      [7, 'tool'],
      [5, 'none'],
    ]),
    declaresLoopTools: dice.chance(0.4),
    hasClientTool,
    pace: dice.chance(0.2) ? 'slow' : 'eager',
    ...(abort === undefined ? {} : { abort }),
    ...(ending === 'cancel' && via === 'doStream' ? { cancelAfter: dice.below(12) } : {}),
    exchanges: generateExchanges(dice, frame, { lane, via, hasClientTool, abortsTool: abort?.when === 'tool' }),
  };
}

function generateAbort(dice: Dice): AbortPlan {
  const when = dice.weighted<AbortPlan['when']>([
    [1, 'before'],
    [3, 'request'],
    [5, 'part'],
    [5, 'tool'],
    [2, 'round-end'],
    [2, 'tool-end'],
    [1, 'retry'],
    [2, 'response'],
    [3, 'after'],
  ]);
  return {
    when,
    n: when === 'after' || when === 'part' ? dice.below(25) : dice.below(3),
    reason: dice.weighted([
      [6, 'none'],
      [2, 'error'],
      [2, 'text'],
    ]),
  };
}

function generateExchanges(
  dice: Dice,
  frame: Frame,
  lane: Pick<Lane, 'via' | 'hasClientTool'> & { readonly lane: number; readonly abortsTool: boolean },
): Exchange[] {
  const rounds = dice.weighted([
    [2, 1],
    [5, 2],
    [4, 3],
    [2, 4],
    [1, 6],
  ]);
  const exchanges: Exchange[] = [];
  const reusesIds = dice.chance(0.2);
  for (let round = 0; round < rounds; round += 1) {
    if (dice.chance(0.06)) exchanges.push(generateHttpError(dice));
    if (dice.chance(0.02)) exchanges.push({ kind: 'silent', how: dice.chance(0.6) ? 'reset' : 'stall' });
    const plan: ExchangePlan = {
      name: `${lane.lane}.${exchanges.length}`,
      mcp: frame.mcp,
      mayKill: frame.lanes === 1,
      abortsTool: lane.abortsTool,
      streams: lane.via === 'doStream' || lane.via === 'streamText',
      hasClientTool: lane.hasClientTool,
      reusesIds,
      calls: round < rounds - 1 ? 'some' : dice.chance(0.2) ? 'some' : 'none',
    };
    exchanges.push(generateExchange(dice, plan));
  }
  return exchanges;
}

function generateHttpError(dice: Dice): HttpErrorExchange {
  const [status, code] = dice.pick([
    [400, 'invalid_request'],
    [401, 'invalid_api_key'],
    [429, 'rate_limit_exceeded'],
    [429, 'insufficient_quota'],
    [500, 'server_error'],
  ] as const);
  return {
    kind: 'http-error',
    status,
    code,
    ...(dice.chance(0.4) ? { retryAfterMs: dice.between(0, 60) } : {}),
    echoesKey: dice.chance(0.3),
  };
}

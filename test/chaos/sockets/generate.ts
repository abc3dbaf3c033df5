import type { Dice } from '../dice.js';
import type { AnswerExchange, Exchange, HttpErrorExchange, Lane, Scenario, Upgrade } from '../scenario.js';
import { timeLimits } from '../time-limits.js';

const SHORT_SOCKET_MS = 250;
const LONG_SOCKET_MS = 5_000;

/** The same scenario over sockets, with what only breaks there. */
export function overSockets(dice: Dice, scenario: Scenario): Scenario {
  const mode = dice.chance(0.8) ? 'websocket' : 'auto';
  const lanes = scenario.lanes.map((lane): Lane => ({
    ...lane,
    exchanges: lane.exchanges.flatMap((exchange) => [...brokenBefore(dice), ...withFaults(dice, exchange)]),
  }));
  const upgrades = generateUpgrades(dice);
  return {
    ...scenario,
    settings: {
      ...scenario.settings,
      // Where sockets are not known, `auto` is nothing but HTTP.
      ...(mode === 'auto' && { backend: 'openai' }),
      ...timeLimits(lanes, { overSockets: true }),
    },
    lanes,
    sockets: {
      mode,
      upgrades,
      max: dice.chance(0.15) ? 1 : 16,
      socketMs: upgrades.includes('silent') ? SHORT_SOCKET_MS : LONG_SOCKET_MS,
    },
  };
}

function generateUpgrades(dice: Dice): Upgrade[] {
  if (dice.chance(0.7)) return ['open'];
  const before = Array.from({ length: dice.below(3) }, (): Upgrade => (dice.chance(0.5) ? 'open' : 'late'));
  const refused = dice.pick<Upgrade>([401, 404, 426, 500, 'page', 'reset', 'silent', 'late']);
  return [...before, refused, ...(dice.chance(0.5) ? (['open'] as const) : [])];
}

/** Nothing is generated: the server lost what the round goes on from, or the connection is too old. */
function brokenBefore(dice: Dice): HttpErrorExchange[] {
  if (!dice.chance(0.1)) return [];
  const code = dice.pick(['previous_response_not_found', 'websocket_connection_limit_reached']);
  return [{ kind: 'http-error', status: 400, code, echoesKey: dice.chance(0.3), frame: generateFrame(dice) }];
}

function withFaults(dice: Dice, exchange: Exchange): Exchange[] {
  if (exchange.kind === 'http-error') return [{ ...exchange, frame: generateFrame(dice) }];
  if (exchange.kind === 'silent') return [exchange];
  const closeCode = dice.pick([1000, 1001, 1008, 1009, 1011, 1012]);
  return [{ ...exchange, closeCode, ...(dice.chance(0.15) && { afterwards: generateAfterwards(dice) }) }];
}

function generateAfterwards(dice: Dice): NonNullable<AnswerExchange['afterwards']> {
  return { how: dice.pick(['close', 'reset', 'limit']), ms: dice.below(4) };
}

function generateFrame(dice: Dice): NonNullable<HttpErrorExchange['frame']> {
  return dice.weighted([
    [6, 'wrapped'],
    [2, 'flat'],
    [1, 'untyped'],
    [1, 'without-status'],
  ]);
}

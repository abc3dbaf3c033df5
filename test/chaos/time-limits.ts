import type { Lane, ScenarioSettings } from './scenario.js';

/** Short limits for what is meant to run out, long ones for what must not. */
const SHORT_TOOL_MS = 150;
const SHORT_SILENCE_MS = 600;
const LONG_MS = 5_000;
/** Longer than anybody waits for a scenario. */
const FOR_EVER_MS = 120_000;

/** A limit is short only where something is meant to run into it. */
export function timeLimits(
  lanes: readonly Lane[],
  { overSockets = false } = {},
): Pick<ScenarioSettings, 'toolTimeoutMs' | 'idleMs' | 'headersMs'> {
  const exchanges = lanes.flatMap((lane) => lane.exchanges);
  const calls = exchanges.flatMap((exchange) => (exchange.kind === 'answer' ? exchange.items : []));
  const hangs = calls.some((item) => item.type === 'call' && (item.does === 'hang' || item.does === 'deaf'));
  // An answer that is complete ends at once, so nobody has to wait for its silence.
  const stalls = exchanges.some(
    (exchange) =>
      exchange.kind === 'answer' &&
      exchange.ending === 'stall' &&
      (exchange.stopAfter !== undefined || exchange.form === 'json'),
  );
  const silent = exchanges.some((exchange) => exchange.kind === 'silent' && exchange.how === 'stall');
  return {
    toolTimeoutMs: hangs ? SHORT_TOOL_MS : LONG_MS,
    idleMs: stalls ? SHORT_SILENCE_MS : FOR_EVER_MS,
    // What comes first over a socket is an event, not a head.
    headersMs: silent || (overSockets && stalls) ? SHORT_SILENCE_MS : LONG_MS,
  };
}

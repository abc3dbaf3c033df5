import type { ResponsesProviderSettings } from 'responses-loop';
import type { Observation } from './observation.js';
import type { Scenario } from './scenario.js';
import { API_KEY } from './secrets.js';

export function settingsOf({ settings, lanes, sockets }: Scenario): ResponsesProviderSettings {
  const { maxRetries, idleMs, headersMs, maxToolCalls, ...rest } = settings;
  const throughSdk = lanes.some((lane) => lane.via === 'streamText' || lane.via === 'generateText');
  return {
    ...rest,
    // `ai` 5 takes parts of undeclared tools for errors.
    toolParts: throughSdk && rest.toolParts === 'all' ? 'declared' : rest.toolParts,
    ...(maxToolCalls === undefined ? {} : { maxToolCalls }),
    apiKey: API_KEY,
    retry: { maxRetries },
    timeouts: { idleMs, headersMs, connectMs: 20_000, ...(sockets && { socketMs: sockets.socketMs }) },
  };
}

/** Some such stops in a row, and a time limit runs out though nobody was slow. */
export function slowness({ settings, mcp, sockets }: Scenario, lagMs: number): Pick<Observation, 'wasSlow' | 'lagMs'> {
  const { toolTimeoutMs, idleMs, headersMs } = settings;
  const shortest = Math.min(
    toolTimeoutMs,
    idleMs,
    headersMs,
    mcp?.timeoutMs ?? toolTimeoutMs,
    sockets?.socketMs ?? idleMs,
  );
  return { lagMs, wasSlow: lagMs > shortest / 5 };
}

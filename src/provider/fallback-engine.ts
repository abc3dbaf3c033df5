import { raceAbort } from '../util/abort.js';
import type { Engine } from './engine.js';
import { onDemand } from './on-demand.js';
import type { FallbackOptions } from '../fallback/fallback-call.js';

/** An engine whose calls are answered by its own server or by the stock provider, decided for each call. */
export function createFallbackEngine(options: FallbackOptions): Engine {
  const { primary } = options;
  return {
    name: primary.name,
    journal: (modelId) => primary.journal(modelId),
    start: async (modelId, given, how) => {
      const { FallbackCall } = await raceAbort(onDemand.fallback(), given.abortSignal);
      return new FallbackCall(options, { modelId, given, how }).start();
    },
    compact: (modelId, given, version) => primary.compact(modelId, given, version),
    endpoint: (modelId) => primary.endpoint(modelId),
    toolset: () => primary.toolset(),
    mcpClient: (key) => primary.mcpClient(key),
    finishSignIn: (key, callbackUrl) => primary.finishSignIn(key, callbackUrl),
    close: () => primary.close(),
  };
}

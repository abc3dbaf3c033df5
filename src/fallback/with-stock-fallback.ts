import { invalidSettings } from '../errors/invalid-settings.js';
import { raceAbort } from '../util/abort.js';
import { isRecord } from '../util/guards.js';
import { checkModelId, engineOf, type ResponsesProvider } from '../provider/create-provider.js';
import type { VersionName } from '../sdk/parts/versions.js';
import type { LoopSettings } from '../settings/loop-settings.js';
import type { Engine } from '../provider/engine.js';
import type { Circuit } from './circuit.js';
import { type FallOver, readFallOver } from './fall-over.js';
import { createLanguageModel, type LanguageModel } from '../provider/language-model.js';
import type { UseStock } from './flag.js';
import { checkStockProvider, stockModelOf, type StockProvider } from './model.js';

/** Two providers, and the choice between them. */
export interface FallbackSettings<Provider, Version extends string> {
  /** A provider from this package. Both use its MCP servers, tools, limits and `onEvent`. */
  readonly primary: Provider;
  /** The stock provider, of the same AI SDK major, with its own key and URL. */
  readonly stock: StockProvider<Version>;
  /**
   * Whether the stock provider answers a call: a boolean, or a function (which may be async) of the model id. A
   * function that fails counts as `false`, with a warning.
   * @default `true` if the environment variable `RESPONSES_LOOP` is `off`
   */
  readonly useStock?: UseStock | undefined;
  /**
   * `true`: the stock provider also answers if the primary fails before the first part of its answer. After several
   * failures in a row it is asked at once for a while.
   * @default `false`
   */
  readonly fallOver?: boolean | FallOver | undefined;
}

/** A chunk that only this loads. The first call that the stock model answers loads another. */
export const fallbackCode = { call: () => import('./fallback-call.js') };

/** Makes one provider of the two. It has all members of the primary. */
export function withFallback<Provider extends ResponsesProvider<LanguageModel<Version>>, Version extends VersionName>(
  settings: FallbackSettings<Provider, Version>,
  version: Version,
): Provider {
  if (!isRecord(settings)) throw invalidSettings('withStockFallback takes { primary, stock, useStock, fallOver }.');
  const { primary, stock, useStock, fallOver, ...others } = settings;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw invalidSettings(
      `withStockFallback knows no setting "${unknown}"; known are primary, stock, useStock, fallOver.`,
    );
  const engine = engineOf(primary);
  checkVersion(primary, version);
  checkStockProvider(stock, version);
  checkFlag(useStock);
  const rules = readFallOver(fallOver);
  // Calls wait for the chunk, and reject if it cannot be loaded.
  fallbackCode.call().catch(() => {});
  const circuits = new Map<string, Circuit>();
  const languageModel = (modelId: string, own?: LoopSettings): LanguageModel<Version> => {
    const modelOf = stockModelOf(stock, checkModelId(modelId), version);
    const options = { primary: engine, useStock, fallOver: rules, circuits, modelOf, version };
    const start: Engine['start'] = async (_modelId, given, how) => {
      const { FallbackCall } = await raceAbort(fallbackCode.call(), given.abortSignal);
      return new FallbackCall(options, { modelId, given, how }).start();
    };
    const face = {
      name: engine.name,
      endpoint: engine.endpoint.bind(engine),
      own: engine.own.bind(engine),
      start,
    };
    return createLanguageModel(face, modelId, version, own);
  };
  const { name: _name, length: _length, ...members } = Object.getOwnPropertyDescriptors(primary);
  // The result has all members of the primary, symbols too.
  return Object.assign(
    Object.defineProperties((modelId: string, own?: LoopSettings) => languageModel(modelId, own), members),
    {
      languageModel,
      responses: languageModel,
    },
  ) as unknown as Provider;
}

function checkVersion(primary: ResponsesProvider<{ readonly specificationVersion: string }>, version: string): void {
  const { specificationVersion: found } = primary.languageModel('any');
  if (found === version) return;
  throw invalidSettings(
    `The setting "primary" makes ${found} models; import withStockFallback from where it came from: 'responses-loop${found === 'v2' ? '' : `/${found}`}'.`,
  );
}

function checkFlag(useStock: unknown): void {
  if (['undefined', 'boolean', 'function'].includes(typeof useStock)) return;
  throw invalidSettings(
    `The setting "useStock" must be true, false or a function that returns one of them, not ${JSON.stringify(useStock)}.`,
  );
}

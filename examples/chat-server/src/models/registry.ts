import type { LanguageModel } from 'ai';
import type { LoopSettings, ResponsesProviderV3 } from 'responses-loop/v3';
import { HttpError } from '../errors.js';
import type { ChatModelSource } from '../types.js';
import type { ModelServer } from './discover-models.js';
import { DiscoveryCache } from './discovery-cache.js';
import { factsOf, type ModelFacts } from './model-facts.js';
import { openProvider, type OpenedProvider, type OpenLoop } from './open-provider.js';
import type { ModelDefinition, ProviderDefinition } from './provider-definitions.js';

/** A model as the page shows it: no address, no key. */
export interface ModelEntry extends ModelFacts {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** The label of its provider. */
  readonly provider: string;
  readonly sources: readonly ChatModelSource[];
}

/** A provider as the page shows it. */
export interface ProviderEntry {
  readonly id: string;
  readonly label: string;
  /** Why models of it are missing. */
  readonly problem?: string | undefined;
}

/** A model that can be asked. */
export interface FoundModel {
  readonly entry: ModelEntry;
  /** The id at its server. */
  readonly modelId: string;
  readonly model: LanguageModel;
  /** The same model with settings of one turn; other providers than ours take none. */
  readonly forTurn: (settings: LoopSettings) => LanguageModel;
  /** Whether its provider runs tools of MCP servers inside the model's step. */
  readonly runsMcpTools: boolean;
}

export interface ModelRegistry {
  list(): Promise<readonly ModelEntry[]>;
  providers(): Promise<readonly ProviderEntry[]>;
  /** `undefined`: there is no such model. @throws HttpError, if it cannot be asked. */
  find(id: string, source: ChatModelSource): Promise<FoundModel | undefined>;
  close(): Promise<void>;
}

export interface ModelRegistryOptions {
  readonly provider: ResponsesProviderV3;
  /** Answers where a request asks for the stock provider. */
  readonly stockProvider: ResponsesProviderV3;
  /** The id behind `default`. */
  readonly defaultModel: string;
  /** What a person reads for it; absent: its id. */
  readonly defaultLabel?: string | undefined;
  /** Where the models of `provider` are; absent: it has but the one. */
  readonly server?: ModelServer | undefined;
  readonly definitions?: readonly ProviderDefinition[] | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Makes a further provider of ours, without MCP servers. */
  readonly openLoop: OpenLoop;
  readonly discovery?: DiscoveryCache | undefined;
}

interface Listed {
  readonly provider: ProviderEntry;
  readonly models: readonly (ModelEntry & { readonly modelId: string })[];
}

const STARTED_WITH = 'This server';
const BOTH: readonly ChatModelSource[] = ['loop', 'stock'];

export function createModelRegistry(options: ModelRegistryOptions): ModelRegistry {
  const { defaultModel, server, definitions = [], env = {}, discovery = new DiscoveryCache() } = options;
  const opened = new Map<string, Promise<OpenedProvider>>();
  const first = {
    id: 'default',
    label: options.defaultLabel ?? defaultModel,
    provider: STARTED_WITH,
    sources: BOTH,
    ...factsOf(defaultModel),
  };

  const open = (definition: ProviderDefinition): Promise<OpenedProvider> => {
    const known = opened.get(definition.id) ?? openProvider(definition, { env, openLoop: options.openLoop });
    opened.set(definition.id, known);
    // What was missing may be installed by the next time.
    known.catch(() => opened.delete(definition.id));
    return known;
  };

  const listServer = async (): Promise<Listed> => {
    const found = server === undefined ? { models: [] } : await discovery.ask('server', server);
    const others = found.models.filter((id) => id !== defaultModel);
    return {
      provider: { id: 'server', label: STARTED_WITH, problem: 'problem' in found ? found.problem : undefined },
      models: [
        { ...first, modelId: defaultModel },
        ...others.map((id) => ({ ...entryOf('server', STARTED_WITH, { id }), sources: BOTH, modelId: id })),
      ],
    };
  };

  const listProvider = async (definition: ProviderDefinition): Promise<Listed> => {
    const { id, label, models, keyVariable, discover } = definition;
    const listed = models.map((model) => ({ ...entryOf(id, label, model), modelId: model.id }));
    if (keyVariable !== undefined && (env[keyVariable] ?? '') === '') {
      return { provider: { id, label, problem: `${keyVariable} is not set` }, models: [] };
    }
    if (!discover) return { provider: { id, label }, models: listed };
    const { server: at } = await open(definition);
    const found = at === undefined ? { models: [] } : await discovery.ask(id, at);
    const known = new Set(models.map((model) => model.id));
    const others = found.models.filter((model) => !known.has(model));
    return {
      provider: { id, label, problem: 'problem' in found ? found.problem : undefined },
      models: [...listed, ...others.map((model) => ({ ...entryOf(id, label, { id: model }), modelId: model }))],
    };
  };

  const all = (): Promise<Listed[]> => Promise.all([listServer(), ...definitions.map(listProvider)]);

  return {
    list: async () => (await all()).flatMap(({ models }) => models.map(({ modelId: _hidden, ...entry }) => entry)),
    providers: async () => (await all()).map(({ provider }) => provider),
    find: async (id, source) => {
      const definition = definitions.find((candidate) => id.startsWith(`${candidate.id}/`));
      if (definition === undefined) {
        // The model that the server was started with needs no list.
        const models = id === first.id ? [{ ...first, modelId: defaultModel }] : (await listServer()).models;
        const entry = models.find((candidate) => candidate.id === id);
        const provider = source === 'stock' ? options.stockProvider : options.provider;
        if (entry === undefined) return undefined;
        const forTurn = (settings?: LoopSettings): LanguageModel => provider(entry.modelId, settings);
        return { entry, modelId: entry.modelId, model: forTurn(), forTurn, runsMcpTools: true };
      }
      const entry = (await listProvider(definition)).models.find((candidate) => candidate.id === id);
      if (entry === undefined) return undefined;
      if (!entry.sources.includes(source)) {
        throw new HttpError(
          422,
          'bad_request',
          `"chatModelSource": ${entry.label} is not available through "${source}".`,
        );
      }
      const { makeModel } = await open(definition);
      const forTurn = (settings?: LoopSettings): LanguageModel => makeModel(entry.modelId, settings);
      return { entry, modelId: entry.modelId, model: forTurn(), forTurn, runsMcpTools: false };
    },
    close: async () => {
      const providers = await Promise.allSettled(opened.values());
      await Promise.all(providers.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])));
    },
  };
}

/** What a file says of a model comes before what is known of its family. */
function entryOf(providerId: string, provider: string, { id, label = id, ...own }: ModelDefinition): ModelEntry {
  return { ...factsOf(id), ...own, id: `${providerId}/${id}`, label, provider, sources: ['loop'] };
}

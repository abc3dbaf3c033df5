import type { ResponsesProviderV3 } from 'responses-loop/v3';
import { z } from 'zod';
import type { ChatModelSource } from '../types.js';
import builtIn from './models.json' with { type: 'json' };

/** A model as the page shows it: no address, no key. */
export interface ModelEntry {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
}

interface RegisteredModel extends ModelEntry {
  /** The id at its server. */
  readonly modelId: string;
}

export interface ModelRegistry {
  list(): readonly ModelEntry[];
  find(id: string): RegisteredModel | undefined;
  provider(source: ChatModelSource): ResponsesProviderV3;
}

export interface ModelRegistryOptions {
  readonly provider: ResponsesProviderV3;
  /** Answers where a request asks for the stock provider. */
  readonly stockProvider: ResponsesProviderV3;
  /** The id behind `default`. */
  readonly defaultModel: string;
}

const MODELS = z.strictObject({
  models: z.array(
    z.strictObject({
      id: z.string().min(1),
      label: z.string().min(1),
      description: z.string().optional(),
      /** Absent: the model that the server was started with. */
      model: z.string().min(1).optional(),
    }),
  ),
});

export function createModelRegistry({ provider, stockProvider, defaultModel }: ModelRegistryOptions): ModelRegistry {
  const entries = MODELS.parse(builtIn).models.map(({ model = defaultModel, ...entry }) => ({
    ...entry,
    modelId: model,
  }));
  return {
    list: () =>
      entries.map(({ id, label, description, modelId }) => ({
        id,
        label: id === 'default' ? `${label} (${modelId})` : label,
        description,
      })),
    find: (id) => entries.find((entry) => entry.id === id),
    provider: (source) => (source === 'stock' ? stockProvider : provider),
  };
}

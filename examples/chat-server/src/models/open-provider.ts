import type { ResponsesProviderV3 } from 'responses-loop/v3';
import type { ModelServer } from './discover-models.js';
import { loadAdapter, type MakeModel } from './load-adapter.js';
import type { ProviderDefinition } from './provider-definitions.js';

/** A further provider of ours, without MCP servers: these are started once. */
export type OpenLoop = (server: {
  readonly baseURL: string;
  readonly apiKey: string | undefined;
}) => ResponsesProviderV3;

export interface OpenedProvider {
  readonly makeModel: MakeModel;
  /** Where it may be asked for its models. */
  readonly server: ModelServer | undefined;
  close(): Promise<void>;
}

interface OpenOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly openLoop: OpenLoop;
}

/** Loads what the definition needs. @throws HttpError, if it is not installed. */
export async function openProvider(
  definition: ProviderDefinition,
  { env, openLoop }: OpenOptions,
): Promise<OpenedProvider> {
  const { adapter, baseUrl, keyVariable } = definition;
  const apiKey = keyVariable === undefined ? undefined : env[keyVariable];
  if (baseUrl !== undefined && adapter === 'loop') {
    const provider = openLoop({ baseURL: baseUrl, apiKey });
    return {
      makeModel: (modelId, settings) => provider(modelId, settings),
      server: { baseURL: rootOf(provider), apiKey },
      close: () => provider.close(),
    };
  }
  if (baseUrl !== undefined && adapter === 'stock') {
    const { createOpenAI } = await import('@ai-sdk/openai');
    // Without a key it would take that of OpenAI.
    const provider = createOpenAI({ baseURL: baseUrl, apiKey: apiKey ?? 'none' });
    return { makeModel: (modelId) => provider(modelId), server: { baseURL: baseUrl, apiKey }, close: async () => {} };
  }
  return { makeModel: await loadAdapter(definition, apiKey), server: undefined, close: async () => {} };
}

/** As the provider understood what a person pasted. */
function rootOf(provider: ResponsesProviderV3): string {
  const url = new URL(provider.endpoint('any').url);
  const path = url.pathname.endsWith('/responses') ? url.pathname.slice(0, -'/responses'.length) : url.pathname;
  return `${url.origin}${path}`;
}

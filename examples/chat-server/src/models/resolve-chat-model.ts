import type { LanguageModel } from 'ai';
import type { LoopSettings } from 'responses-loop/v3';
import { HttpError } from '../errors.js';
import type { ChatModelSource } from '../types.js';
import { checkEffort } from './check-capabilities.js';
import type { ModelEntry, ModelRegistry } from './registry.js';

/** A model that can be asked, and how it was chosen. */
export interface ChatModel {
  readonly id: string;
  readonly source: ChatModelSource;
  /** The id at its server. */
  readonly modelId: string;
  readonly model: LanguageModel;
  /** The same model with settings of one turn. */
  readonly forTurn: (settings: LoopSettings) => LanguageModel;
  readonly entry: ModelEntry;
  /** Whether its provider runs tools of MCP servers inside the model's step; else the AI SDK does. */
  readonly runsMcpTools: boolean;
  /** For each call: the level of reasoning that was chosen. */
  readonly providerOptions: EffortOptions | undefined;
}

export type EffortOptions = Readonly<Record<string, { readonly reasoningEffort: string }>>;

export interface ChatModelChoice {
  readonly chatModelId?: string | undefined;
  /** `stock` answers this request through `@ai-sdk/openai`; tools and approvals stay the same. */
  readonly chatModelSource?: ChatModelSource | undefined;
  readonly reasoningEffort?: string | undefined;
}

/** @throws HttpError `no_such_model`, or `model_cannot` for a level of reasoning that it has not. */
export async function resolveChatModel(
  registry: ModelRegistry,
  { chatModelId = 'default', chatModelSource = 'loop', reasoningEffort }: ChatModelChoice,
): Promise<ChatModel> {
  const found = await registry.find(chatModelId, chatModelSource);
  if (found === undefined) {
    throw new HttpError(404, 'no_such_model', `Unknown model "${chatModelId}". GET /api/models lists all models.`);
  }
  checkEffort(found.entry, reasoningEffort);
  return {
    ...found,
    id: found.entry.id,
    source: chatModelSource,
    providerOptions: reasoningEffort === undefined ? undefined : { [optionsNameOf(found.model)]: { reasoningEffort } },
  };
}

/** For an agent, which hears in words that it named none. */
export async function findModel(registry: ModelRegistry, chatModelId: string): Promise<ChatModel | undefined> {
  try {
    return await resolveChatModel(registry, { chatModelId });
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** Options of a provider go by the first word of its name: `openai` of `openai.responses`. */
function optionsNameOf(model: LanguageModel): string {
  const provider = typeof model === 'string' ? 'gateway' : model.provider;
  return provider.split('.')[0] ?? provider;
}

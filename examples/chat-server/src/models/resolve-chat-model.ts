import type { LanguageModel } from 'ai';
import { HttpError } from '../errors.js';
import type { ChatModelSource } from '../types.js';
import type { ModelRegistry } from './registry.js';

/** A model that can be asked, and how it was chosen. */
export interface ChatModel {
  readonly id: string;
  readonly source: ChatModelSource;
  /** The id at its server. */
  readonly modelId: string;
  readonly model: LanguageModel;
}

export interface ChatModelChoice {
  readonly chatModelId?: string | undefined;
  /** `stock` answers this request through `@ai-sdk/openai`; tools and approvals stay the same. */
  readonly chatModelSource?: ChatModelSource | undefined;
}

/** @throws HttpError `no_such_model`. */
export function resolveChatModel(
  registry: ModelRegistry,
  { chatModelId = 'default', chatModelSource = 'loop' }: ChatModelChoice,
): ChatModel {
  const entry = registry.find(chatModelId);
  if (entry === undefined) {
    throw new HttpError(404, 'no_such_model', `There is no model "${chatModelId}"; GET /api/models lists them.`);
  }
  return {
    id: entry.id,
    source: chatModelSource,
    modelId: entry.modelId,
    model: registry.provider(chatModelSource)(entry.modelId),
  };
}

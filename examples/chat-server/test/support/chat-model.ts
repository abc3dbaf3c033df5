import type { LanguageModel } from 'ai';
import type { ChatModel } from '../../src/models/resolve-chat-model.js';

/** The model of a turn, of whose facts nothing is known. */
export function chatModelOf(modelId: string, model: LanguageModel = modelId): ChatModel {
  const entry = { id: 'default', label: modelId, provider: 'test', sources: ['loop'] } as const;
  const forTurn = (): LanguageModel => model;
  return {
    id: 'default',
    source: 'loop',
    modelId,
    model,
    forTurn,
    entry,
    runsMcpTools: true,
    providerOptions: undefined,
  };
}

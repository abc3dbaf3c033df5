import type { FileUIPart } from 'ai';
import { effortRefusal, fileRefusal } from '../../src/models/capabilities.js';
import type { ChatMessage } from '../../src/types.js';
import type { Catalog } from './use-catalog.js';

export interface Refusal {
  readonly text: string;
  /** Helps, if the effort is what it lacks. */
  readonly useDefaultEffort?: () => void;
}

interface Sent {
  /** Attached to the message that is being written. */
  readonly files: readonly FileUIPart[];
  /** The conversation before it, which the model gets too. */
  readonly messages: readonly ChatMessage[];
}

/** What the server would refuse, before anything is sent. */
export function refusalOf({ models, chosen, choose }: Catalog, { files, messages }: Sent): Refusal | undefined {
  const model = models.find(({ id }) => id === chosen.chatModelId);
  if (model === undefined) return undefined;
  const attached = fileRefusal(model, files);
  if (attached !== undefined) return { text: `${attached.why}. Remove ${attached.name}, or choose another model.` };
  const effort = effortRefusal(model, chosen.reasoningEffort);
  if (effort !== undefined) {
    const { reasoningEffort: _lacking, ...rest } = chosen;
    return { text: effort, useDefaultEffort: () => choose(rest) };
  }
  if (model.images !== false && model.files !== false) return undefined;
  const earlier = fileRefusal(
    model,
    messages.flatMap(({ parts }) => parts),
  );
  if (earlier === undefined) return undefined;
  return { text: `${earlier.why}, and this chat has ${earlier.name}. Choose another model, or start a new chat.` };
}

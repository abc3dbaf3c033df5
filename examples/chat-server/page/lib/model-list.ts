import type { ModelItem } from './api-types.js';
import type { ModelChoice } from './transport.js';

export interface ModelGroup {
  /** The label of the provider; empty for a server that names none. */
  readonly provider: string;
  readonly models: readonly ModelItem[];
}

/** Those that have every word, by provider, in the order of the server. */
export function groupsOf(models: readonly ModelItem[], query: string): readonly ModelGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, ModelItem[]>();
  for (const model of models) {
    const { id, label, provider = '', description = '' } = model;
    const text = `${id} ${label} ${provider} ${description} ${takesOf(model).join(' ')}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    groups.set(provider, [...(groups.get(provider) ?? []), model]);
  }
  return [...groups].map(([provider, found]) => ({ provider, models: found }));
}

/** What it is known to take, in a word each. */
export function takesOf({ images, files, efforts = [] }: ModelItem): readonly string[] {
  return [
    ...(images === true ? ['images'] : []),
    ...(files === true ? ['files'] : []),
    ...(efforts.length > 0 ? ['reasoning'] : []),
  ];
}

const BOTH = ['loop', 'stock'] as const;

/** Another model with what was chosen besides, as far as it can be asked that way. */
export function choiceOf({ id, sources = BOTH }: ModelItem, { chatModelSource, ...chosen }: ModelChoice): ModelChoice {
  const source = sources.includes(chatModelSource) ? chatModelSource : (sources[0] ?? 'loop');
  return { ...chosen, chatModelId: id, chatModelSource: source };
}

/** Whether a person may choose who asks it. */
export function hasBothSources({ sources = BOTH }: ModelItem): boolean {
  return BOTH.every((source) => sources.includes(source));
}

import builtIn from './models.json' with { type: 'json' };

/** What a model can take. Absent: not known, and not refused. */
export interface ModelFacts {
  readonly images?: boolean | undefined;
  /** PDF. Text is put into the message. */
  readonly files?: boolean | undefined;
  /** Levels of reasoning; an empty list: none can be chosen. */
  readonly efforts?: readonly string[] | undefined;
}

const FAMILIES: Readonly<Record<string, ModelFacts>> = builtIn.families;

/** The family with the longest name that the model's name begins with; a vendor in front (`openai/…`) does not count. */
export function familyOf(modelId: string): string | undefined {
  const name = nameOf(modelId);
  const names = Object.keys(FAMILIES).filter((family) => name.startsWith(family));
  return names.toSorted((a, b) => b.length - a.length)[0];
}

/** Facts of a model's family. */
export function factsOf(modelId: string): ModelFacts {
  return FAMILIES[familyOf(modelId) ?? ''] ?? {};
}

/** Servers list models for embeddings, speech and images beside those that chat. */
export function isForChat(modelId: string): boolean {
  const name = nameOf(modelId);
  return !builtIn.notForChat.some((other) => name.startsWith(other));
}

function nameOf(modelId: string): string {
  return modelId.slice(modelId.lastIndexOf('/') + 1).toLowerCase();
}

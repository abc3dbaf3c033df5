import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChatModelSource } from '../../src/types.js';
import { api } from './api.js';
import type { ModelItem, ProviderItem, SkillItem } from './api-types.js';
import type { ModelChoice } from './transport.js';

export interface Command {
  /** As it is typed. */
  readonly text: string;
  readonly description: string;
}

export interface Catalog {
  readonly models: readonly ModelItem[];
  readonly providers: readonly ProviderItem[];
  readonly commands: readonly Command[];
  readonly chosen: ModelChoice;
  readonly choose: (choice: ModelChoice) => void;
  /** What is chosen at the time of asking. */
  readonly choice: () => ModelChoice;
  /** Asks for the models again: servers and their models come and go. */
  readonly refresh: () => void;
}

const COMMANDS: readonly Command[] = [
  { text: '/help', description: 'List commands and skills' },
  { text: '/summary-title', description: 'Generate a title' },
  { text: '/compact', description: 'Compact the conversation' },
];
const KEPT = 'model';
const DEFAULT: ModelChoice = { chatModelId: 'default', chatModelSource: 'loop' };

/** Models, commands and skills, as the server has them. */
export function useCatalog(): Catalog {
  const [models, setModels] = useState<readonly ModelItem[]>([]);
  const [providers, setProviders] = useState<readonly ProviderItem[]>([]);
  const [skills, setSkills] = useState<readonly SkillItem[]>([]);
  const [chosen, setChosen] = useState(keptChoice);
  const latest = useRef(chosen);
  const refresh = useCallback(() => {
    // Without them the page has its defaults; what is wrong is said where a chat is read.
    void list<ModelItem>('/api/models', 'models').then(setModels, () => undefined);
    void list<ProviderItem>('/api/providers', 'providers').then(setProviders, () => undefined);
  }, []);
  useEffect(() => {
    refresh();
    void list<SkillItem>('/api/skills', 'skills').then(setSkills, () => undefined);
  }, [refresh]);
  const choose = useCallback((choice: ModelChoice) => {
    latest.current = choice;
    localStorage.setItem(KEPT, JSON.stringify(choice));
    setChosen(choice);
  }, []);
  const commands = [
    ...COMMANDS,
    ...skills.map(({ name, description }) => ({ text: `/skill/${name}`, description: description ?? 'A skill' })),
  ];
  const choice = useCallback(() => latest.current, []);
  return { models, providers, commands, chosen, choose, choice, refresh };
}

async function list<T>(path: string, key: string): Promise<readonly T[]> {
  const answer = await api<readonly T[] | Readonly<Record<string, readonly T[]>>>('GET', path);
  return Array.isArray(answer) ? (answer as readonly T[]) : ((answer as Record<string, readonly T[]>)[key] ?? []);
}

function keptChoice(): ModelChoice {
  try {
    const { chatModelId, chatModelSource, reasoningEffort } = JSON.parse(
      localStorage.getItem(KEPT) ?? '',
    ) as Partial<ModelChoice>;
    const source: ChatModelSource = chatModelSource === 'stock' ? 'stock' : 'loop';
    const effort = typeof reasoningEffort === 'string' ? { reasoningEffort } : {};
    return typeof chatModelId === 'string' ? { chatModelId, chatModelSource: source, ...effort } : DEFAULT;
  } catch {
    return DEFAULT;
  }
}

import { type KeyboardEvent, useState } from 'react';
import type { Command } from './use-catalog.js';

export interface Suggestions {
  readonly items: readonly Command[];
  readonly active: number;
  readonly choose: (command: Command) => void;
  /** Whether the key was for the list. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** Commands and skills, while the first word of a draft is written. */
export function useSuggestions(
  draft: string,
  commands: readonly Command[],
  write: (text: string) => void,
): Suggestions {
  const [active, setActive] = useState(0);
  const [closedFor, setClosedFor] = useState<string>();
  const isWriting = /^\/\S*$/.test(draft) && draft !== closedFor;
  const items = isWriting ? commands.filter(({ text }) => text.startsWith(draft) && text !== draft) : [];
  const at = Math.min(active, items.length - 1);
  const choose = ({ text }: Command): void => {
    setActive(0);
    write(`${text}${text.startsWith('/skill/') ? ' ' : ''}`);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const item = items[at];
    if (item === undefined || event.shiftKey) return false;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) setActive((at + step + items.length) % items.length);
    else if (event.key === 'Tab' || event.key === 'Enter') choose(item);
    else if (event.key === 'Escape') setClosedFor(draft);
    else return false;
    event.preventDefault();
    return true;
  };
  return { items, active: at, choose, onKey };
}

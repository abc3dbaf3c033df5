import { type KeyboardEvent, type ToggleEvent, useId, useRef } from 'react';
import { Icon } from './icon.js';

export interface MenuAction {
  readonly name: string;
  readonly run: () => void;
  readonly isDanger?: boolean;
}

interface ChatMenuProps {
  readonly title: string;
  readonly actions: readonly MenuAction[];
}

const GAP_PX = 4;

/** What can be done with a chat, behind one button. Over everything else, also over the list that scrolls. */
export function ChatMenu({ title, actions }: ChatMenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const onToggle = ({ currentTarget: menu, newState }: ToggleEvent<HTMLDivElement>): void => {
    if (newState !== 'open' || button.current === null) return;
    const { right, bottom } = button.current.getBoundingClientRect();
    menu.style.left = `${Math.max(GAP_PX, right - menu.offsetWidth)}px`;
    menu.style.top = `${Math.min(bottom + GAP_PX, innerHeight - menu.offsetHeight - GAP_PX)}px`;
    menu.querySelector('button')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    // The list of a narrow screen would close, too.
    if (event.key === 'Escape') event.stopPropagation();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll('button')];
    const at = all.findIndex((one) => one === document.activeElement);
    all[(at + step + all.length) % all.length]?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon"
        aria-label={`Actions for chat ${title}`}
        aria-haspopup="menu"
        popoverTarget={id}
      >
        <Icon name="more" />
      </button>
      <div id={id} popover="auto" role="menu" aria-label={title} className="menu" {...{ onToggle, onKeyDown }}>
        {actions.map(({ name, run, isDanger = false }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            className={isDanger ? 'bad' : undefined}
            popoverTarget={id}
            popoverTargetAction="hide"
            onClick={run}
          >
            {name}
          </button>
        ))}
      </div>
    </>
  );
}

import { type ToggleEvent, useEffect, useId, useRef, useState } from 'react';
import { hasBothSources } from '../lib/model-list.js';
import type { Catalog } from '../lib/use-catalog.js';
import { EffortPicker } from './effort-picker.js';
import { Icon } from './icon.js';
import { ModelList } from './model-list.js';

const GAP_PX = 6;
const EDGE_PX = 8;

/** The id of the button that opens the list. */
export const MODEL_BUTTON = 'model';

/** Which model answers the next message: a button that opens a list to search. */
export function ModelPicker({ catalog }: { readonly catalog: Catalog }) {
  const { models, chosen, choose, refresh } = catalog;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const model = models.find((one) => one.id === chosen.chatModelId);
  const missing = models.length === 0 ? 'Default' : `${chosen.chatModelId} (not available)`;
  const label = model?.label ?? missing;

  useEffect(() => {
    if (!isOpen) return;
    const put = (): void => {
      if (button.current && popup.current) place(popup.current, button.current.getBoundingClientRect());
    };
    put();
    addEventListener('resize', put);
    return () => removeEventListener('resize', put);
  }, [isOpen]);
  const onToggle = ({ newState }: ToggleEvent): void => {
    setIsOpen(newState === 'open');
    if (newState === 'open') refresh();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        id={MODEL_BUTTON}
        className="models"
        aria-label={`Model: ${label}`}
        aria-haspopup="dialog"
        popoverTarget={id}
      >
        <span>{label}</span>
        <Icon name="down" />
      </button>
      <div
        ref={popup}
        id={id}
        popover="auto"
        role="dialog"
        aria-label="Choose a model"
        className="model-popup"
        onToggle={onToggle}
      >
        {isOpen && (
          <>
            <ModelList catalog={catalog} onDone={() => popup.current?.hidePopover()} />
            {model && hasBothSources(model) && (
              <label className="model-source">
                <input
                  type="checkbox"
                  checked={chosen.chatModelSource === 'stock'}
                  onChange={({ target }) => choose({ ...chosen, chatModelSource: target.checked ? 'stock' : 'loop' })}
                />
                <span>Send through @ai-sdk/openai, to compare</span>
              </label>
            )}
          </>
        )}
      </div>
      <EffortPicker efforts={model?.efforts ?? []} chosen={chosen} choose={choose} />
    </>
  );
}

/** Above the button, or below it where there is more room; never over an edge. */
function place({ style, offsetWidth }: HTMLDivElement, { left, top, bottom }: DOMRect): void {
  const isAbove = top > innerHeight - bottom;
  const room = (isAbove ? top : innerHeight - bottom) - GAP_PX - EDGE_PX;
  style.maxHeight = `${room}px`;
  style.left = `${Math.max(EDGE_PX, Math.min(left, innerWidth - offsetWidth - EDGE_PX))}px`;
  style.top = isAbove ? 'auto' : `${bottom + GAP_PX}px`;
  style.bottom = isAbove ? `${innerHeight - top + GAP_PX}px` : 'auto';
}

import { type KeyboardEvent, memo, useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { ModelItem } from '../lib/api-types.js';
import { choiceOf, groupsOf, takesOf } from '../lib/model-list.js';
import type { Catalog } from '../lib/use-catalog.js';
import { Icon } from './icon.js';

interface ModelListProps {
  readonly catalog: Catalog;
  readonly onDone: () => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

/** Models by their words: arrows move, Enter chooses. */
export function ModelList({ catalog: { models, providers, chosen, choose }, onDone }: ModelListProps) {
  const [query, setQuery] = useState('');
  const shownQuery = useDeferredValue(query);
  const groups = useMemo(() => groupsOf(models, shownQuery), [models, shownQuery]);
  const all = useMemo(() => groups.flatMap((group) => group.models), [groups]);
  const [activeId, setActiveId] = useState<string | undefined>(chosen.chatModelId);
  const at = Math.max(
    0,
    all.findIndex(({ id }) => id === activeId),
  );
  const active = all[at];
  useEffect(() => {
    // Newer browsers answer with a promise, which React would take for a clean-up.
    document.querySelector('.model-list [aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const pick = (model: ModelItem | undefined): void => {
    if (model === undefined) return;
    choose(choiceOf(model, chosen));
    onDone();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // It would stop the answer, too.
    if (event.key === 'Escape') event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    const step = STEPS[event.key];
    if (step !== undefined && all.length > 0) setActiveId(all[stepFrom(at, step, all.length)]?.id);
    else if (event.key === 'Enter') pick(active);
    else return;
    event.preventDefault();
  };
  return (
    <div className="model-list" onKeyDown={onKeyDown}>
      <input
        type="text"
        role="combobox"
        aria-label="Search models"
        aria-expanded={all.length > 0}
        aria-controls="models"
        aria-autocomplete="list"
        aria-activedescendant={active === undefined ? undefined : optionId(active.id)}
        placeholder="Search models"
        maxLength={200}
        value={query}
        autoFocus
        onChange={({ target }) => {
          setQuery(target.value);
          setActiveId(undefined);
        }}
      />
      <div id="models" role="listbox" aria-label="Models" className="model-groups">
        {groups.map(({ provider, models: found }) => (
          <div key={provider} role="group" aria-label={provider === '' ? 'Models' : provider}>
            {provider !== '' && (
              <p className="model-provider" aria-hidden="true">
                {provider}
              </p>
            )}
            {found.map((model) => (
              <Option
                key={model.id}
                model={model}
                isActive={model === active}
                isChosen={model.id === chosen.chatModelId}
                pick={pick}
              />
            ))}
          </div>
        ))}
      </div>
      <p className="hint" aria-live="polite">
        {all.length === 0 ? 'No models found' : `${all.length} ${all.length === 1 ? 'model' : 'models'}`}
      </p>
      {providers.map(({ id, label, problem }) =>
        problem === undefined ? null : <p key={id} className="hint">{`${label}: ${problem}`}</p>,
      )}
    </div>
  );
}

interface OptionProps {
  readonly model: ModelItem;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly pick: (model: ModelItem) => void;
}

/** Of hundreds, only those that change are drawn again: `pick` is left out of the comparison. */
const Option = memo(
  function Option({ model, isActive, isChosen, pick }: OptionProps) {
    return (
      <div
        id={optionId(model.id)}
        role="option"
        aria-selected={isActive}
        aria-current={isChosen ? 'true' : undefined}
        className="model"
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => pick(model)}
      >
        <span className="model-mark">{isChosen && <Icon name="check" />}</span>
        <span className="model-name">
          {model.label}
          {model.description !== undefined && <small>{model.description}</small>}
        </span>
        <span className="model-takes">
          {takesOf(model).map((what) => (
            <small key={what}>{what}</small>
          ))}
        </span>
      </div>
    );
  },
  (one, other) => one.model === other.model && one.isActive === other.isActive && one.isChosen === other.isChosen,
);

/** One step goes round at the ends, a page does not. */
function stepFrom(at: number, step: number, count: number): number {
  return Math.abs(step) === 1 ? (at + step + count) % count : Math.min(count - 1, Math.max(0, at + step));
}

function optionId(modelId: string): string {
  return `model ${modelId}`.replaceAll(/\s/g, '-');
}

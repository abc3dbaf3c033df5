import type { ModelItem } from '../lib/api-types.js';
import type { Catalog } from '../lib/use-catalog.js';
import type { ModelChoice } from '../lib/transport.js';

const DEFAULT: ModelItem = { id: 'default', label: 'Default' };
const SUFFIXES = { loop: '', stock: ' (through @ai-sdk/openai)' } as const;
const BOTH = ['loop', 'stock'] as const;

interface Option {
  readonly label: string;
  readonly group: string;
  readonly choice: ModelChoice;
}

/** Which model answers the next message, and whether our provider asks it or the stock one. One group for each provider. */
export function ModelPicker({ catalog: { models, providers, chosen, choose } }: { readonly catalog: Catalog }) {
  const options = (models.length === 0 ? [DEFAULT] : models).flatMap(({ id, label, provider = '', sources = BOTH }) =>
    sources.map((source): Option => ({
      label: `${label}${SUFFIXES[source]}`,
      group: provider,
      choice: { chatModelId: id, chatModelSource: source },
    })),
  );
  const isChosen = ({ choice }: Option): boolean =>
    choice.chatModelId === chosen.chatModelId && choice.chatModelSource === chosen.chatModelSource;
  // A model that is listed no longer is still the one that would be asked.
  if (models.length > 0 && !options.some(isChosen))
    options.unshift({ label: `${chosen.chatModelId} (not available)`, group: '', choice: chosen });
  const at = options.findIndex(isChosen);
  const groups = [...new Set(options.map(({ group }) => group))];
  const efforts = models.find(({ id }) => id === chosen.chatModelId)?.efforts ?? [];
  return (
    <>
      <select
        className="models"
        aria-label="Model"
        value={Math.max(at, 0)}
        onChange={({ target }) => {
          const picked = options[Number(target.value)];
          if (picked) choose(picked.choice);
        }}
      >
        {groups.length > 1
          ? groups.map((name) => (
              <optgroup key={name} label={name || 'Models'}>
                <Options options={options} group={name} />
              </optgroup>
            ))
          : groups.map((name) => <Options key={name} options={options} group={name} />)}
        {providers.map(({ id: providerId, label, problem }) =>
          problem === undefined ? null : <option key={providerId} disabled>{`${label}: ${problem}`}</option>,
        )}
      </select>
      {efforts.length > 0 && <EffortPicker efforts={efforts} chosen={chosen} choose={choose} />}
    </>
  );
}

interface EffortPickerProps {
  readonly efforts: readonly string[];
  readonly chosen: ModelChoice;
  readonly choose: (choice: ModelChoice) => void;
}

/** How long the model may think about the next message. */
function EffortPicker({ efforts, chosen: { reasoningEffort = '', ...model }, choose }: EffortPickerProps) {
  return (
    <select
      className="models"
      aria-label="Reasoning effort"
      value={efforts.includes(reasoningEffort) ? reasoningEffort : ''}
      onChange={({ target }) => choose(target.value === '' ? model : { ...model, reasoningEffort: target.value })}
    >
      <option value="">Default effort</option>
      {efforts.map((effort) => (
        <option key={effort} value={effort}>{`Effort: ${effort}`}</option>
      ))}
    </select>
  );
}

/** Labels of two providers may be the same, so an option is known by its place. */
function Options({ options, group }: { readonly options: readonly Option[]; readonly group: string }) {
  return options.map((option, index) =>
    option.group === group ? (
      <option key={`${option.choice.chatModelSource} ${option.choice.chatModelId}`} value={index}>
        {option.label}
      </option>
    ) : null,
  );
}

import type { Catalog } from '../lib/use-catalog.js';
import type { ModelChoice } from '../lib/transport.js';

const DEFAULT = { id: 'default', label: 'Default' };
const SOURCES = [
  { source: 'loop', suffix: '' },
  { source: 'stock', suffix: ' (through @ai-sdk/openai)' },
] as const;

/** Which model answers the next message, and whether our provider asks it or the stock one. */
export function ModelPicker({ catalog: { models, chosen, choose } }: { readonly catalog: Catalog }) {
  const choices = (models.length === 0 ? [DEFAULT] : models).flatMap(({ id, label }) =>
    SOURCES.map(({ source, suffix }) => ({
      label: `${label}${suffix}`,
      choice: { chatModelId: id, chatModelSource: source } satisfies ModelChoice,
    })),
  );
  const at = choices.findIndex(
    ({ choice }) => choice.chatModelId === chosen.chatModelId && choice.chatModelSource === chosen.chatModelSource,
  );
  return (
    <select
      className="models"
      aria-label="Model"
      value={Math.max(at, 0)}
      onChange={({ target }) => {
        const picked = choices[Number(target.value)];
        if (picked) choose(picked.choice);
      }}
    >
      {choices.map(({ label }, index) => (
        <option key={label} value={index}>
          {label}
        </option>
      ))}
    </select>
  );
}

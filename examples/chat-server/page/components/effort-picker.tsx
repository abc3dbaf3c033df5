import type { ModelChoice } from '../lib/transport.js';

interface EffortPickerProps {
  readonly efforts: readonly string[];
  readonly chosen: ModelChoice;
  readonly choose: (choice: ModelChoice) => void;
}

/** How long the model may think about the next message. */
export function EffortPicker({ efforts, chosen: { reasoningEffort = '', ...model }, choose }: EffortPickerProps) {
  if (efforts.length === 0) return null;
  return (
    <select
      className="efforts"
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

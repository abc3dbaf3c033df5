import type { ChatModelSource } from '../../src/types.js';
import type { Catalog } from '../lib/use-catalog.js';

const SOURCES: readonly (readonly [ChatModelSource, string])[] = [
  ['loop', 'with MCP tools'],
  ['stock', 'stock provider'],
];

export function ModelPicker({ catalog: { models, chosen, choose } }: { readonly catalog: Catalog }) {
  const isKnown = models.some(({ id }) => id === chosen.chatModelId);
  return (
    <span className="models">
      <select
        aria-label="Model"
        value={isKnown ? chosen.chatModelId : 'default'}
        onChange={({ target }) => choose({ ...chosen, chatModelId: target.value })}
      >
        {models.length === 0 && <option value="default">Default</option>}
        {models.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      <select
        aria-label="Answered by"
        title="Which provider asks the model: ours, or the stock one"
        value={chosen.chatModelSource}
        onChange={({ target }) => choose({ ...chosen, chatModelSource: target.value === 'stock' ? 'stock' : 'loop' })}
      >
        {SOURCES.map(([source, label]) => (
          <option key={source} value={source}>
            {label}
          </option>
        ))}
      </select>
    </span>
  );
}

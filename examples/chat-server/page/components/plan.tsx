import { Icon } from './icon.js';
import { isPlanItemDone, type PlanItem } from '../lib/parts.js';

const ACTIVE = new Set(['doing', 'active', 'in_progress', 'running']);

/** What is to be done, over the composer, as the model last wrote it down. */
export function Plan({ items }: { readonly items: readonly PlanItem[] }) {
  const done = items.filter(({ state }) => isPlanItemDone(state)).length;
  const current = items.find(({ state }) => ACTIVE.has(state)) ?? items.find(({ state }) => !isPlanItemDone(state));
  return (
    <details className="plan" aria-label="Plan">
      <summary>
        <Icon name="right" />
        <span className="plan-count">
          Plan: {done} of {items.length} done
        </span>
        <span className="plan-now">{current?.text ?? 'All done'}</span>
      </summary>
      <PlanList items={items} />
    </details>
  );
}

export function PlanList({ items }: { readonly items: readonly PlanItem[] }) {
  return (
    <ol className="plan-items">
      {items.map(({ text, state }, at) => (
        <li key={at} className={kindOf(state)}>
          <span>{text}</span> <small>{state.replaceAll('_', ' ')}</small>
        </li>
      ))}
    </ol>
  );
}

function kindOf(state: string): string {
  if (isPlanItemDone(state)) return 'done';
  return ACTIVE.has(state) ? 'active' : 'open';
}

import type { Refusal } from '../lib/model-refusal.js';
import { MODEL_BUTTON } from './model-picker.js';

/** Why the chosen model cannot answer the message, and what helps. */
export function ModelRefusal({ refusal }: { readonly refusal: Refusal | undefined }) {
  if (refusal === undefined) return null;
  const { text, useDefaultEffort } = refusal;
  return (
    <div className="problem refusal" role="alert">
      <span>{text}</span>
      {useDefaultEffort === undefined ? (
        <button type="button" className="small" onClick={() => document.getElementById(MODEL_BUTTON)?.click()}>
          Choose a model
        </button>
      ) : (
        <button type="button" className="small" onClick={useDefaultEffort}>
          Use the default effort
        </button>
      )}
    </div>
  );
}

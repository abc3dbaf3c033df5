import type { ChatData } from '../../src/types.js';
import { Thinking } from './thought.js';

/** Shown while nothing of the answer comes: for how long, and which attempt it is. */
export function Waiting({ retry }: { readonly retry: ChatData['retry'] | undefined }) {
  return (
    <p className="thinking" role={retry ? 'alert' : undefined}>
      <i aria-hidden="true" />
      <i aria-hidden="true" />
      <i aria-hidden="true" />
      {retry ? `Retrying (${retry.attempt} of ${retry.of})` : <Thinking />}
    </p>
  );
}

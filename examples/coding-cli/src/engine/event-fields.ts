import type { Difference } from 'responses-loop-example-shared/file-difference.js';
import type { EventData } from '../protocol/events.js';

/** A difference as events have it. */
export function eventFieldsOf({
  text,
  hunks,
  files,
}: Difference): Pick<EventData<'tool_execution_end'>, 'diff' | 'hunks' | 'files'> {
  return { diff: text, hunks: hunks.map((hunk) => [...hunk]), files: [...files] };
}

import { readJsonl } from 'responses-loop-example-shared/jsonl.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { LINE, type Line } from './lines.js';

export interface Rollout {
  readonly lines: readonly Line[];
  /** What could not be read, for people. */
  readonly problems: readonly string[];
}

/**
 * All that can be read of a rollout.
 *
 * @throws SettingsError if a newer program wrote it: what is not understood must not be written on.
 */
export function readRollout(path: string): Rollout {
  const content = readJsonl(path);
  const lines: Line[] = [];
  const broken = new Map(content.broken.map((number) => [number, 'is not JSON']));
  for (const { number, value } of content.lines) {
    const { success, data } = LINE.safeParse(value);
    if (success) lines.push(data);
    else if (isNewer(value)) throw new SettingsError(`${path} was written by a newer version of this program.`);
    else broken.set(number, 'is not a line of a session');
  }
  const problems = [...broken].toSorted(([one], [other]) => one - other);
  const said = problems.map(([number, problem]) => `${path}: line ${number} ${problem} and is skipped.`);
  if (content.isTorn) said.push(`${path}: the last line was not written to its end and is cut off.`);
  return { lines, problems: said };
}

function isNewer(value: unknown): boolean {
  const { type, version } = (value ?? {}) as { type?: unknown; version?: unknown };
  return type === 'session_meta' && typeof version === 'number' && version > 1;
}

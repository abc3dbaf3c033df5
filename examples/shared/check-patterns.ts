import { checkAnswer, type CheckedAnswer, type Field } from './form-fields.js';
import { runJob } from './run-job.js';

import type { PatternCheck } from './pattern-job.js';

const MODULE = new URL('./pattern-job.ts', import.meta.url).href;
/** A busy machine needs more than a second to start a thread. */
const TIMEOUT_MS = 5_000;

/** Checks an answer as `checkAnswer` does, and then the patterns of its texts. */
export async function checkWithPatterns(
  fields: readonly Field[],
  given: Readonly<Record<string, unknown>>,
): Promise<CheckedAnswer> {
  const checked = checkAnswer(fields, given);
  if ('problems' in checked) return checked;
  const problems = await checkPatterns(fields, checked.content);
  return Object.keys(problems).length > 0 ? { problems } : checked;
}

/**
 * What does not fit the pattern of its field. An MCP server wrote the patterns, and one that never ends would hold this
 * process: they run in a thread that ends. What could not be checked in time does not fit.
 */
async function checkPatterns(
  fields: readonly Field[],
  content: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
  const checks = fields.flatMap((field): PatternCheck[] => {
    const value = content[field.key];
    if (field.kind !== 'text' || field.pattern === undefined || typeof value !== 'string') return [];
    return [{ key: field.key, pattern: field.pattern, value }];
  });
  if (checks.length === 0) return {};
  const unfitting = await runJob({ module: MODULE, name: 'unfitting', input: checks }, { timeoutMs: TIMEOUT_MS }).then(
    (keys) => keys as readonly string[],
    () => undefined,
  );
  const wrong = checks.filter(({ key }) => unfitting?.includes(key) ?? true);
  const problemOf = ({ pattern }: PatternCheck): string =>
    unfitting === undefined
      ? 'The pattern of this field takes too long to check, so nothing was sent.'
      : `Expected a text that fits the pattern ${pattern}`;
  return Object.fromEntries(wrong.map((check) => [check.key, problemOf(check)]));
}

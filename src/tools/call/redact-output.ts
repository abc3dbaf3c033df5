import { errorOutput, type ToolOutput } from '../../core/message.js';
import { abortError, raceAbort } from '../../util/abort.js';
import { isRecord } from '../../util/guards.js';
import type { ToolCallInfo } from './approval.js';

/**
 * Removes data from a tool's output that neither the model nor a user should see. It runs before the output is cut,
 * shown, stored or sent. A callback that throws, or returns no output, withholds the whole output.
 *
 * @example
 * redactToolOutput: (output) => ({
 *   ...output,
 *   value: undefined,
 *   content: output.content.map((part) => part.type === 'text' ? { ...part, text: part.text.replaceAll(/\d{16}/g, '[card]') } : part),
 * })
 */
export type RedactToolOutput = (output: ToolOutput, call: ToolCallInfo) => ToolOutput | PromiseLike<ToolOutput>;

/** Rejects only when the signal fires. */
export async function redactOutput(
  output: ToolOutput,
  call: ToolCallInfo,
  { redact, signal }: { readonly redact: RedactToolOutput; readonly signal: AbortSignal },
): Promise<ToolOutput> {
  try {
    const redacted: unknown = await raceAbort(Promise.resolve(redact(output, call)), signal);
    if (isOutput(redacted)) return redacted;
  } catch {
    // Not passed on, because its text may contain the secret.
    if (signal.aborted) throw abortError(signal);
  }
  return errorOutput('The tool ran, but its output is kept back: redacting it failed.');
}

function isOutput(value: unknown): value is ToolOutput {
  if (!isRecord(value) || typeof value['isError'] !== 'boolean' || !Array.isArray(value['content'])) return false;
  return (value['content'] as unknown[]).every(
    (part) => isRecord(part) && (part['type'] === 'file' || typeof part['text'] === 'string'),
  );
}

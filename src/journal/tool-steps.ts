import type { MarkRecord, ToolRecord } from './journal.js';
import { errorOutput, type ToolOutput } from '../core/message.js';
import type { KeptRun } from '../tools/call/call-scope.js';
import { abortError, raceAbort } from '../util/abort.js';
import { toPlain } from './plain.js';

/** Keeps one step of a call's tool, as `CallJournal` does it. */
type KeepStep = <Kept extends ToolRecord | MarkRecord>(
  suffix: '' | '/start',
  kind: 'tool' | 'mark',
  run: () => Promise<Kept>,
) => Promise<Kept>;

/** The steps of one tool call at its turn. */
export interface BegunTool {
  /** Lets the next call begin its own. */
  readonly pass: () => void;
  readonly keep: KeepStep;
  /** The step is not in the journal. */
  readonly onNew: () => void;
  /** The tool runs now, or its output is from an earlier attempt. */
  readonly comes: (isReplayed: boolean) => void;
}

/**
 * Runs a tool as a step of the journal. Calls begin their steps one by one, in their own order, because some engines
 * compare that order. Parallel runs and slow approvals do not change it.
 */
export async function keepRun(
  { signal, mayRepeat, run }: KeptRun,
  { keep, pass, onNew, comes }: BegunTool,
): Promise<ToolOutput> {
  // A journal without an answer does not delay the end of a call.
  const mayRun = mayRepeat || (await raceAbort(isFirst(keep), signal));
  let isLive = false;
  const kept = keep('', 'tool', async (): Promise<ToolRecord> => {
    isLive = mayRun;
    if (signal.aborted) throw abortError(signal);
    onNew();
    if (!mayRun) return { version: 1, output: INTERRUPTED, interrupted: true };
    comes(false);
    // An output; a function of the app may have put other values than JSON into it.
    return { version: 1, output: toPlain(await run()) as unknown as ToolOutput };
  });
  pass();
  const { output } = await raceAbort(kept, signal);
  if (!isLive) comes(true);
  return output;
}

/** Whether no attempt before this one may have started the tool. */
async function isFirst(keep: KeepStep): Promise<boolean> {
  const mine = crypto.randomUUID();
  const { attempt } = await keep('/start', 'mark', async () => ({ version: 1, attempt: mine }));
  return attempt === mine;
}

const INTERRUPTED = errorOutput(
  'Interrupted: the outcome of this call is unknown. Its process ended before the outcome was recorded. It may have taken effect. It was not run again: find out before you repeat it.',
);

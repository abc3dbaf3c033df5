import type { Call } from '../core/call.js';
import type { AssistantContent } from '../core/message.js';
import { ApiError } from '../errors/api-error.js';
import { hostedKind, kindOfTool } from '../items/kinds.js';
import type { BrokenRound, GoingOn } from '../loop/broken-round.js';
import { notify } from '../observe/notify.js';
import { asRecord, asString } from '../util/guards.js';
import { JoinedText } from './joined-text.js';

/** How much of the shown text the model is asked to repeat, in characters. */
const REPEATED = 120;

/**
 * Asks for the rest of a round whose stream broke off behind shown text. `undefined`: the round may not be asked for again,
 * or was already.
 */
export function goOn(broken: BrokenRound, most: number): GoingOn | undefined {
  const { call, rounds, result, error } = broken;
  const shown = textOf(result?.content ?? []);
  if (shown.trim() === '' || !mayGoOn(broken, most)) return undefined;
  const round = rounds.length - 1;
  const { message: reason } = error;
  notify(call.observer, () => ({
    type: 'continuation',
    callNumber: call.callNumber,
    round,
    reason,
    shownChars: shown.length,
  }));
  return {
    ask: `${ASK}\n\n${endOf(shown)}`,
    warning: `The model was asked to continue its text, because round ${round} broke off: ${reason}`,
    texts: new JoinedText(shown),
  };
}

const ASK =
  'Your last message broke off, because the connection was lost. The reader has its beginning. Go on with it as you would ' +
  'have, with tools if you need them. So that the two pieces can be joined, begin with exactly the last words that the ' +
  'reader has, and say nothing about the break. If these words were the end of the message, write only them:';

function mayGoOn({ call, rounds, result, hasActed, error }: BrokenRound, most: number): boolean {
  if (hasActed || call.ends.aborted || !ApiError.isInstance(error) || !error.isRetryable) return false;
  // Every failed round before the last was continued, and none twice.
  const continued = rounds.slice(0, -1).map(({ finishReason }) => finishReason === 'error');
  if (continued.at(-1) === true || continued.filter(Boolean).length >= most) return false;
  return isRepeatable(call.call) && result?.content.every(leavesNothing) === true;
}

/** Whether the answer can be joined of two pieces, and nothing but the model has worked on it. */
function isRepeatable({ responseFormat, options, hostedTools }: Call): boolean {
  const bodies = [options, asRecord(options['body']) ?? {}];
  // A conversation at the server may contain any part of the answer.
  const isKept = bodies.some(({ conversation }) => conversation != null);
  const isText =
    responseFormat.type === 'text' &&
    options['textFormat'] == null &&
    bodies.every(({ text }) => asRecord(text)?.['format'] == null);
  return isText && !isKept && hostedTools.every(({ type }) => kindOfTool(type)?.changesNothing === true);
}

function leavesNothing(entry: AssistantContent): boolean {
  if (entry.type === 'item') return hostedKind(asString(entry.item['type']) ?? '')?.changesNothing === true;
  return entry.type === 'text' || entry.type === 'reasoning' || entry.type === 'tool-call';
}

function textOf(content: readonly AssistantContent[]): string {
  return content.map((entry) => (entry.type === 'text' ? entry.text : '')).join('');
}

/** Returns the last words, from the beginning of one. */
function endOf(shown: string): string {
  const text = shown.trim();
  const at = Math.max(0, text.length - REPEATED);
  const space = at === 0 ? -1 : text.slice(at).search(/\s/);
  return text.slice(at + space + 1);
}

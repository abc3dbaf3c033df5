import type { ChatWatch } from './chat-watch.js';
import type { Json } from './connection.js';
import type { Outcome } from './target.js';

const ENDED: ReadonlySet<string> = new Set(['output-available', 'output-error', 'output-denied']);
/** The words that the played model makes: no two are alike. */
const WORD = /\b[\da-f]{6}\b/g;

/** Holds what the client has seen of a turn against the messages that are stored behind its own one. */
export function chatOutcome(turn: string, seen: readonly ChatWatch[], answers: readonly Json[]): Outcome {
  const parts: Json[] = answers.flatMap((message) => message.parts);
  const { text: said, outputs: results } = shownOf(parts);
  const calls = parts.filter(({ toolCallId }) => toolCallId !== undefined);
  const { text: heard, outputs } = seen.some((one) => one.hasLoaded) ? shownOf(parts) : whatWasShown(seen, parts);
  const [seenWords, words] = [heard.match(WORD) ?? [], said.match(WORD) ?? []];
  const broken = [
    ...(answers.length === 1 ? [] : [`${turn} has ${answers.length} answers`]),
    ...(said.endsWith(`Turn ${turn} is done.`) ? [] : [`${turn} did not end: ${said.slice(-80)}`]),
    ...(heard === said ? [] : [`${turn}: the client has "${heard}", the chat "${said}"`]),
    ...(calls.length === results.length ? [] : [`${turn} has ${calls.length - results.length} calls without a result`]),
    ...(seen.some(({ loose }) => loose > 0) ? [`${turn}: a text went on that had not begun`] : []),
    ...differing(results, outputs).map((id) => `${turn}: the outcome of ${id} is either seen or stored, not both`),
    ...seen.flatMap(({ errors }) => errors.map((error) => `${turn}: ${error}`)),
  ];
  return {
    ...{ turn, broken },
    calls: calls.map(({ toolCallId }) => toolCallId),
    lost: seen.reduce((sum, { reader }) => sum + reader.lost, 0),
    silenceMs: Math.max(...seen.map(({ reader }) => reader.silenceMs)),
    doubled:
      seen.reduce((sum, { reader }) => sum + reader.doubled, 0) +
      [seenWords, words, outputs, results].reduce((sum, list) => sum + list.length - new Set(list).size, 0),
    // What is stored and was not seen, and what was seen and is not stored.
    missing: differing(words, seenWords).length + differing(results, outputs).length,
  };
}

interface Shown {
  readonly text: string;
  readonly outputs: readonly string[];
}

function shownOf(parts: readonly Json[]): Shown {
  return {
    text: parts.map(({ type, text }) => (type === 'text' ? text : '')).join(''),
    outputs: parts.filter(({ state }) => ENDED.has(state)).map(({ toolCallId }) => toolCallId as string),
  };
}

/** A stream that builds upon stored parts replaces what was shown before, as on the page. */
function whatWasShown(seen: readonly ChatWatch[], parts: readonly Json[]): Shown {
  let shown: Shown = { text: '', outputs: [] };
  for (const [index, { partsBefore, text, outputs }] of seen.entries()) {
    const base = partsBefore === undefined ? shown : shownOf(parts.slice(0, partsBefore));
    // A call that was open in those parts has its outcome in a stream.
    const later = new Set(seen.slice(index).flatMap((one) => one.outputs));
    const before = partsBefore === undefined ? base.outputs : base.outputs.filter((id) => !later.has(id));
    shown = { text: base.text + text, outputs: [...before, ...outputs] };
  }
  return shown;
}

function differing(one: readonly string[], other: readonly string[]): string[] {
  const [all, others] = [new Set(one), new Set(other)];
  return [...[...all].filter((item) => !others.has(item)), ...[...others].filter((item) => !all.has(item))];
}

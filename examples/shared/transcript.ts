import { isTooLong } from './too-long.js';

/** A shorter piece tells nothing: older ones are left out instead. */
const LEAST_CHARS = 100;
const CUT = ' […] ';
/** A conversation that was cut to fewer characters tells nothing. */
const LEAST_TOTAL = 1_000;

/** A message of the AI SDK, of whichever version. */
export interface SpokenMessage {
  readonly role: string;
  readonly content: string | readonly object[];
}

type Part = Readonly<Record<string, unknown>>;

/** The conversation as plain text, each time half as long; there is always one, since images may be what was too long. */
export function* shorterTexts(messages: readonly SpokenMessage[]): Generator<string, undefined> {
  const lines = linesOf(messages);
  const total = lines.reduce((sum, { length }) => sum + length, 0);
  for (let room = Math.max(total / 2, LEAST_TOTAL); room >= LEAST_TOTAL; room /= 2)
    yield fitted(lines, room).join('\n\n');
}

/** Asks about a conversation; if the server refuses it as too long, asks about shorter texts of it until one fits. */
export async function askFitting<Message extends SpokenMessage, Answer>(
  messages: readonly Message[],
  ask: (messages: readonly (Message | { readonly role: 'user'; readonly content: string })[]) => Promise<Answer>,
): Promise<Answer> {
  const texts = shorterTexts(messages);
  let next: Parameters<typeof ask>[0] = messages;
  for (;;) {
    try {
      return await ask(next);
    } catch (error) {
      const content = isTooLong(error) ? texts.next().value : undefined;
      if (content === undefined) throw error;
      next = [{ role: 'user', content }];
    }
  }
}

/** A piece for each message, call and output: it can be cut anywhere, which no call can. */
function linesOf(messages: readonly SpokenMessage[]): readonly string[] {
  return messages.flatMap(({ role, content }) => {
    if (typeof content === 'string') return [`${role}: ${content}`];
    return content.flatMap((part) => lineOf(role, part as Part));
  });
}

function lineOf(role: string, part: Part): readonly string[] {
  switch (part['type']) {
    case 'text':
      return [`${role}: ${String(part['text'])}`];
    case 'tool-call':
      return [`call of ${String(part['toolName'])}: ${JSON.stringify(part['input'])}`];
    case 'tool-result':
      return [`output of ${String(part['toolName'])}: ${outputOf(part['output'])}`];
    default:
      return []; // Thoughts, and images: they are no text.
  }
}

function outputOf(output: unknown): string {
  const { value } = (output ?? {}) as { readonly value?: unknown };
  return typeof value === 'string' ? value : JSON.stringify(value ?? output);
}

/** The newest pieces, of which the longest lose their middles, in so many characters. */
function fitted(lines: readonly string[], room: number): readonly string[] {
  const kept = lines.slice(-Math.max(1, Math.floor(room / LEAST_CHARS)));
  let [left, limit] = [room, 0];
  for (const [index, length] of kept
    .map((line) => line.length)
    .toSorted((one, other) => one - other)
    .entries()) {
    limit = Math.max(limit, Math.floor(left / (kept.length - index)));
    left -= Math.min(length, limit);
  }
  return kept.map((line) => shortened(line, limit));
}

function shortened(line: string, limit: number): string {
  if (line.length <= limit) return line;
  const half = Math.max(0, Math.floor((limit - CUT.length) / 2));
  return `${line.slice(0, half)}${CUT}${line.slice(line.length - half)}`;
}

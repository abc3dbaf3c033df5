import type { ModelMessage } from 'ai';

/** A shorter piece tells nothing: older ones are left out instead. */
const LEAST_CHARS = 100;
const CUT = ' […] ';

type Part = Readonly<Record<string, unknown>>;

/** A conversation as plain text, a piece for each message, call and output: it can be cut anywhere, which no call can. */
export function linesOf(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap(({ role, content }) => {
    if (typeof content === 'string') return [`${role}: ${content}`];
    return content.flatMap((part) => lineOf(role, part as unknown as Part));
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
export function fitted(lines: readonly string[], room: number): readonly string[] {
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

/** How a line begins: in the text of a call, and in the file. */
export interface IndentPair {
  readonly given: string;
  readonly there: string;
}

type Change = (indent: string) => string | undefined;

/**
 * Gives lines the indentation that the file has, if it can be only one: the pairs say how lines that are in both begin.
 * `undefined`: the pairs contradict each other, or do not tell how these lines begin.
 */
export function indentedAs(pairs: readonly IndentPair[], lines: readonly string[]): readonly string[] | undefined {
  if (!isNestedAlike(pairs)) return undefined;
  const changes = [shiftOf(pairs), unitsOf(pairs), seenIn(pairs)].filter((change) => change !== undefined);
  const results = changes.flatMap((change) => {
    const changed = lines.map((line) => lineWith(change, line));
    return changed.every((line) => line !== undefined) ? [changed] : [];
  });
  const [first, ...others] = results;
  // Two readings that do not agree are none.
  return others.every((other) => other.join('\n') === first?.join('\n')) ? first : undefined;
}

/** How a line begins; a line of blanks has no indentation. */
export function indentOf(line: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  return isBlank(line) ? '' : indent;
}

function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}

/** What stands further to the right in the text of the call does so in the file. */
function isNestedAlike(pairs: readonly IndentPair[]): boolean {
  const steps = pairs.toSorted((one, other) => one.given.length - other.given.length);
  return steps.every(({ given, there }, at) => {
    const before = steps[at - 1];
    if (before === undefined) return true;
    return before.given === given ? before.there === there : before.there.length < there.length;
  });
}

function lineWith(change: Change, line: string): string | undefined {
  if (isBlank(line)) return '';
  const indent = indentOf(line);
  const changed = change(indent);
  return changed === undefined ? undefined : changed + line.slice(indent.length);
}

/** All lines stand further to the right by the same, or to the left. */
function shiftOf(pairs: readonly IndentPair[]): Change | undefined {
  const [first] = pairs;
  if (first === undefined) return undefined;
  const right = first.there.endsWith(first.given) ? first.there.slice(0, first.there.length - first.given.length) : '';
  if (pairs.every(({ given, there }) => there === right + given)) return (indent) => right + indent;
  const left = first.given.endsWith(first.there) ? first.given.slice(0, first.given.length - first.there.length) : '';
  if (!pairs.every(({ given, there }) => given === left + there)) return undefined;
  return (indent) => (indent.startsWith(left) ? indent.slice(left.length) : undefined);
}

/** Each step is another one: a tab for four blanks, or four blanks for two. */
function unitsOf(pairs: readonly IndentPair[]): Change | undefined {
  const steps = pairs.filter(({ given, there }) => given !== '' || there !== '');
  const candidates = [1, 2, 3, 4, 8].map((count) => ' '.repeat(count)).concat('\t');
  const fitting = candidates.flatMap((given) =>
    candidates.flatMap((there) => {
      const change: Change = (indent) => repeated(indent, given, there);
      return given !== there && steps.length > 0 && steps.every((pair) => change(pair.given) === pair.there)
        ? [change]
        : [];
    }),
  );
  if (fitting.length === 0) return undefined;
  // Steps of one and of two blanks fit the same lines: only what all of them make of a line is sure.
  return (indent) => {
    const results = new Set(fitting.flatMap((change) => change(indent) ?? []));
    return results.size === 1 ? [...results][0] : undefined;
  };
}

function repeated(indent: string, given: string, there: string): string | undefined {
  const count = indent.length / given.length;
  return Number.isInteger(count) && given.repeat(count) === indent ? there.repeat(count) : undefined;
}

/** Only what stands there already: no step has to be known. */
function seenIn(pairs: readonly IndentPair[]): Change {
  const seen = new Map(pairs.map(({ given, there }) => [given, there]));
  return (indent) => seen.get(indent);
}

import type { Facts, PastCall, Step } from './facts.js';

/** What a test says of a function: for these arguments this number. */
interface Expectation {
  readonly name: string;
  readonly args: readonly [number, number];
  readonly expected: number;
}

/** A function of two numbers that does one thing with them. */
interface Candidate {
  readonly name: string;
  readonly line: string;
  readonly before: string;
  readonly operator: string;
  readonly after: string;
  readonly isSwapped: boolean;
}

const OPERATORS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
};
const TEST_FILE = /[\w./-]+\.(?:test|spec)\.[cm]?[jt]s\b/;
const RUN = 'node --test --test-reporter=spec';

/**
 * Makes a failing test pass, where what is wrong is the operator in a function of two numbers: it looks for the test, reads
 * it and what it imports, runs it, works out which operator all expectations hold for, changes it and runs the test again.
 */
export function fixTests({ calls }: Facts): Step {
  const last = calls.at(-1);
  if (last === undefined)
    return {
      call: 'glob',
      input: { pattern: '**/*.{test,spec}.{js,mjs,ts}' },
      saying: "I'll look for the test first.",
    };
  if (/denied|not approved|not allowed/i.test(last.output))
    return { say: 'Then I stop here: without that I cannot see whether the test passes.' };
  const test = TEST_FILE.exec(calls[0]?.output ?? '')?.[0];
  if (test === undefined) return { say: 'There is no test here that I could make pass.' };
  const reads = calls.filter(({ tool }) => tool === 'read');
  const [testRead, sourceRead] = reads;
  if (testRead === undefined) return { call: 'read', input: { path: test } };
  const source = importOf(testRead.output, test);
  if (source === undefined)
    return { say: `\`${test}\` imports no file of this folder, so I do not know what to mend.` };
  if (sourceRead === undefined) return { call: 'read', input: { path: source } };
  return runAndMend({ calls, test, source, testText: testRead.output, sourceText: sourceRead.output });
}

interface Found {
  readonly calls: readonly PastCall[];
  readonly test: string;
  readonly source: string;
  readonly testText: string;
  readonly sourceText: string;
}

function runAndMend({ calls, test, source, testText, sourceText }: Found): Step {
  const runs = calls.filter(({ tool }) => tool === 'bash');
  const edit = calls.find(({ tool }) => tool === 'edit');
  const [first, second] = runs;
  if (first === undefined)
    return {
      call: 'bash',
      input: { command: `${RUN} ${test}` },
      saying: `Now I run \`${test}\` to see what is wrong.`,
    };
  if (edit === undefined) {
    if (/^exit code 0\b/.test(first.output)) return { say: `\`${test}\` passes already. There is nothing to mend.` };
    return mend(source, candidates(unnumbered(sourceText)), expectations(unnumbered(testText)));
  }
  if (second === undefined) return { call: 'bash', input: { command: `${RUN} ${test}` } };
  const passes = /^exit code 0\b/.test(second.output);
  return {
    say: passes
      ? `Done: **${test} passes**. In \`${source}\` one operator was wrong.`
      : `\`${test}\` still fails. A real model would know more.`,
  };
}

function mend(path: string, functions: readonly Candidate[], expected: readonly Expectation[]): Step {
  for (const candidate of functions) {
    const own = expected.filter(({ name }) => name === candidate.name);
    const right =
      own.length === 0
        ? undefined
        : Object.keys(OPERATORS).find((operator) => own.every((one) => holds(one, operator, candidate)));
    if (right === undefined || right === candidate.operator) continue;
    const mended = `${candidate.before}${right}${candidate.after}`;
    const saying = `\`${candidate.name}\` uses \`${candidate.operator}\`, but all its expectations hold for \`${right}\`.`;
    return { call: 'edit', input: { path, old_string: candidate.line, new_string: mended }, saying };
  }
  return {
    say: 'I have read the test and the code. The demo can mend one thing only: a wrong operator in a function that returns `a + b` or the like. This is something else, which takes a real model.',
  };
}

function holds({ args: [a, b], expected }: Expectation, operator: string, { isSwapped }: Candidate): boolean {
  const compute = OPERATORS[operator];
  return compute !== undefined && (isSwapped ? compute(b, a) : compute(a, b)) === expected;
}

/** `function add(a, b) { return a - b; }` and `const add = (a, b) => a - b;` */
function candidates(source: string): Candidate[] {
  const heads = /(?:function (\w+)|const (\w+) =)\s*\((\w+)[^,)]*,\s*(\w+)[^)]*\)[^{;\n]*?(?:\{\s*return|=>)\s*/g;
  return [...source.matchAll(heads)].flatMap((head): Candidate[] => {
    const [whole, declared, assigned, a = '', b = ''] = head;
    const start = head.index + whole.length;
    const [body, one, operator = '', other] = /^(\w+)\s*(\*\*|[-+*/%])\s*(\w+)/.exec(source.slice(start)) ?? [];
    if (body === undefined || ![a, b].includes(one ?? '') || ![a, b].includes(other ?? '') || one === other) return [];
    const lineStart = source.lastIndexOf('\n', start) + 1;
    const lineEnd = source.indexOf('\n', start);
    const line = source.slice(lineStart, lineEnd === -1 ? undefined : lineEnd);
    const at = start - lineStart + body.indexOf(operator);
    const name = declared ?? assigned ?? '';
    return [
      {
        name,
        line,
        before: line.slice(0, at),
        operator,
        after: line.slice(at + operator.length),
        isSwapped: one === b,
      },
    ];
  });
}

/** `assert.equal(add(2, 3), 5)` and `expect(add(2, 3)).toBe(5)` */
function expectations(test: string): Expectation[] {
  const number = String.raw`\s*(-?\d+(?:\.\d+)?)\s*`;
  const pattern = new RegExp(String.raw`(\w+)\(${number},${number}\)(?:\s*,|\)\.to(?:Be|Equal)\()${number}`, 'g');
  return [...test.matchAll(pattern)].map(([, name = '', a, b, expected]) => ({
    name,
    args: [Number(a), Number(b)],
    expected: Number(expected),
  }));
}

/** The file of this folder that a test imports. */
function importOf(test: string, path: string): string | undefined {
  const named = /from ['"](\.[^'"]+)['"]/.exec(test)?.[1];
  if (named === undefined) return undefined;
  const folder = path.split('/').slice(0, -1);
  for (const part of named.split('/')) {
    if (part === '..') folder.pop();
    else if (part !== '.') folder.push(part);
  }
  return folder.join('/');
}

/** As `read` gives it: a number and a tab before each line. */
function unnumbered(text: string): string {
  return text.replace(/^ *\d+\t/gm, '');
}

import { Session } from 'node:inspector/promises';
import { costOf } from '../architecture/regexp-cost.js';

/** Of scripts that may be in a loop a peer can feed: ours, and the parser of event streams. */
const COUNTED = /\/src\/|\/eventsource-parser\//;

/** What a native function goes over, in the values it is called with. */
type Cost = (receiver: never, result: unknown, args: readonly unknown[]) => number;
type Methods = Record<string, (...args: unknown[]) => unknown>;

const arrayLength: Cost = (list: readonly unknown[]) => list.length;
const resultLength: Cost = (_receiver, result) => (Array.isArray(result) ? result.length : 1);
const upToIndex: Cost = (list: string | readonly unknown[], at, [, from = 0]) =>
  (at === -1 ? list.length : Number(at) + 1) - Number(from);
const one: Cost = () => 1;
/** The engine goes over texts much faster than we go from one statement to the next. */
const characters = (count: number): number => 1 + count / 16;
const trimmed: Cost = (text: string, result) => characters(text.length - String(result).length);

/** Loops that the engine does for us, which no coverage sees. Callbacks count themselves. */
const NATIVE: readonly (readonly [object: object, costs: Readonly<Record<string, Cost>>])[] = [
  [
    Array.prototype,
    {
      shift: arrayLength,
      unshift: arrayLength,
      splice: arrayLength,
      indexOf: upToIndex,
      lastIndexOf: arrayLength,
      includes: arrayLength,
      slice: resultLength,
      concat: resultLength,
      flatMap: resultLength,
      join: arrayLength,
      toSorted: arrayLength,
    },
  ],
  // Spreads, `for`, `new Set(…)`, `Promise.all(…)`.
  ...[[], new Map(), new Set()].map(
    (list) => [Object.getPrototypeOf(list[Symbol.iterator]()) as object, { next: one }] as const,
  ),
  [
    String.prototype,
    {
      indexOf: (text, at, args) => characters(upToIndex(text, at, args)),
      includes: (text: string) => characters(text.length),
      startsWith: (_text, _result, [start]) => characters(String(start).length),
      trim: trimmed,
      trimStart: trimmed,
      trimEnd: trimmed,
      split: (text: string) => characters(text.length),
    },
  ],
  [
    JSON,
    {
      parse: (_json, _value, [text]) => characters(String(text).length),
      stringify: (_json, text) => characters(String(text).length),
    },
  ],
  // A queue that is an array moves all of it with every part taken out.
  [
    ReadableStreamDefaultController.prototype,
    { enqueue: (controller: ReadableStreamDefaultController) => 1 - (controller.desiredSize ?? 0) },
  ],
  [
    RegExp.prototype,
    {
      exec: (regexp: RegExp, match, [text]) =>
        STEPS[costOf(regexp.source, regexp.flags)](lengthRead(regexp, match, String(text))),
    },
  ],
];

const ends = new WeakMap<RegExp, number>();

/** A linear search that goes on behind its last match reads no more than what lies between the two. */
function lengthRead(regexp: RegExp, match: unknown, { length }: string): number {
  if (!regexp.global || costOf(regexp.source, regexp.flags) !== 'linear') return length;
  const start = ends.get(regexp) ?? 0;
  const end = match === null ? length : regexp.lastIndex;
  ends.set(regexp, match === null ? 0 : end);
  return end >= start ? end - start : end;
}

const STEPS = {
  linear: characters,
  quadratic: (length: number) => characters(length ** 2),
  exponential: (length: number) => 2 ** length,
};

/**
 * How many steps our code takes: blocks executed, as the engine counts them for coverage, and what native loops go over.
 * Independent of the machine and of what else runs on it.
 */
async function countSteps(run: () => unknown): Promise<number> {
  const session = await coverage();
  await session.post('Profiler.takePreciseCoverage');
  const natives = watchNatives();
  try {
    await run();
  } finally {
    natives.restore();
  }
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ranges = result
    .filter(({ url }) => COUNTED.test(url))
    .flatMap(({ functions }) => functions.flatMap((made) => made.ranges));
  return ranges.reduce((sum, { count }) => sum + count, natives.steps());
}

/** How the steps grow with n: 1 is linear, 2 quadratic. What only the first run does is not counted. */
export async function growthOf(run: (n: number) => unknown, n: number): Promise<number> {
  await run(4);
  const few = await countSteps(async () => run(n));
  const many = await countSteps(async () => run(4 * n));
  return Math.log(many / few) / Math.log(4);
}

let started: Promise<Session> | undefined;

/** Once for the process: to start it, the engine throws away whatever it has compiled. */
function coverage(): Promise<Session> {
  started ??= startCoverage();
  return started;
}

async function startCoverage(): Promise<Session> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return session;
}

function watchNatives(): { readonly steps: () => number; readonly restore: () => void } {
  let steps = 0;
  // What measures must not be measured: it uses the same functions.
  let isMeasuring = false;
  const restores = NATIVE.flatMap(([object, costs]) =>
    Object.entries(costs).map(([name, cost]) => {
      const methods = object as Methods;
      const original = methods[name] as (...args: unknown[]) => unknown;
      methods[name] = function counted(this: unknown, ...args: unknown[]) {
        let result: unknown;
        try {
          result = Reflect.apply(original, this, args);
        } finally {
          // What throws has cost something too.
          if (!isMeasuring) {
            isMeasuring = true;
            steps += cost(this as never, result, args);
            isMeasuring = false;
          }
        }
        return result;
      };
      return () => {
        methods[name] = original;
      };
    }),
  );
  return {
    steps: () => steps,
    restore: () => {
      for (const restore of restores) restore();
    },
  };
}

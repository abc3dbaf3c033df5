/**
 * Counts what a synchronous run does, in steps that do not depend on the machine: looks into sets and maps, elements that
 * lists are searched for, and characters that are hashed. For checks of growth: run it at n and at 4 n.
 */
function countSteps(run: () => void): number {
  let steps = 0;
  const restore = [
    ...(['has', 'get', 'set'] as const).map((name) => replace(Map.prototype, name, () => (steps += 1))),
    ...(['has', 'add'] as const).map((name) => replace(Set.prototype, name, () => (steps += 1))),
    ...(
      [
        'find',
        'findIndex',
        'findLast',
        'findLastIndex',
        'some',
        'every',
        'filter',
        'includes',
        'indexOf',
        'splice',
        'slice',
      ] as const
    ).map((name) => replace(Array.prototype, name, (list) => (steps += (list as unknown[]).length))),
    replace(String.prototype, 'charCodeAt', () => (steps += 1)),
  ];
  try {
    run();
  } finally {
    for (const back of restore) back();
  }
  return steps;
}

/** How the steps of a run grow: 1 is linear, 2 quadratic. */
export function growthOf(runAt: (n: number) => () => void, n: number): number {
  return Math.log(countSteps(runAt(4 * n)) / countSteps(runAt(n))) / Math.log(4);
}

type Methods = Record<string, (...args: unknown[]) => unknown>;

/** A search that ends early counts whole: the worst that it can be. */
function replace(prototype: object, name: string, note: (self: unknown) => void): () => void {
  const methods = prototype as Methods;
  const original = methods[name] as (...args: unknown[]) => unknown;
  methods[name] = function counted(this: unknown, ...args: unknown[]): unknown {
    note(this);
    return original.apply(this, args);
  };
  return () => {
    methods[name] = original;
  };
}

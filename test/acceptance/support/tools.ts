import type { ResponsesProviderSettings } from 'responses-loop';

type LocalTools = NonNullable<ResponsesProviderSettings['tools']>;
export type LocalTool = LocalTools[string];

const numbers = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
};

/** Adds, and counts how often it was asked. */
export function adder(options: Partial<LocalTool> = {}): { readonly add: LocalTool; readonly runs: unknown[] } {
  const runs: unknown[] = [];
  const add: LocalTool = {
    description: 'Adds two numbers.',
    inputSchema: numbers,
    execute(args) {
      runs.push(args);
      return String(Number(args['a']) + Number(args['b']));
    },
    ...options,
  };
  return { add, runs };
}

/** A tool that does what the test says. */
export function toolOf(execute: NonNullable<LocalTool['execute']>, options: Partial<LocalTool> = {}): LocalTool {
  return { description: 'A tool of the test.', execute, ...options };
}

/** Resolves when called, and tells whoever waits. */
export function signalTower(): { readonly reached: Promise<void>; readonly reach: () => void } {
  let reach = (): void => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return { reached, reach: () => reach() };
}

import { generateText, streamText } from 'ai';
import { expect } from 'vitest';
import { calls, reply } from '../../../acceptance/support/rig.js';
import { adder, type LocalTool, toolOf } from '../../../acceptance/support/tools.js';
import { adds, type Checks, five, going, later, type Way } from './going.js';

interface Waiting {
  readonly wait: LocalTool;
  /** How its runs ended. */
  readonly ends: ('aborted' | 'by itself')[];
  readonly started: Promise<void>;
}

/** A tool that ends with an abort, or after some time, and tells which. */
function waiting(ms = 30_000): Waiting {
  const ends: Waiting['ends'] = [];
  let start = (): void => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const wait = toolOf(
    (_args, { abortSignal }) =>
      new Promise((resolve) => {
        start();
        const end = (how: Waiting['ends'][number]): void => {
          ends.push(how);
          clearTimeout(timer);
          resolve(how);
        };
        const timer = setTimeout(() => end('by itself'), ms);
        abortSignal.addEventListener('abort', () => end('aborted'));
      }),
  );
  return { wait, ends, started };
}

const waits = [reply(calls('resp_1', ['wait', {}, 'call_1'])), five];

/** How long a timeout may be; the next one is tried if the call ended before its tool began, on a busy machine. */
const TIMES_MS = [60, 400, 2_000];

/**
 * Returns what `run` says of the shortest timeout during which the tool began. The tool would take three times as long, so
 * that it ends by itself only if nothing aborts it.
 */
async function within<T>(run: (ms: number, tool: Waiting) => Promise<T>): Promise<T> {
  for (const ms of TIMES_MS) {
    const tool = waiting(3 * ms);
    const told = await run(ms, tool);
    if (tool.ends.length > 0) return told;
  }
  throw new Error('the tool never began');
}

async function read(
  call: Awaited<ReturnType<typeof going>>['call'],
  options: object,
  { ends }: Waiting,
): Promise<void> {
  const result = streamText({ ...call, ...options, onError: () => {} });
  await Promise.resolve(result.consumeStream()).catch(() => {});
  // A tool that was left behind ends a moment later, and one that never began does not.
  await expect
    .poll(() => ends.length, { timeout: 100, interval: 5 })
    .toBe(1)
    .catch(() => {});
}

/** Whether the tool is aborted by this timeout of the call. */
function isEndedBy(way: Way, timeout: (ms: number) => object): Promise<boolean> {
  return within(async (ms, tool) => {
    const { call } = await going(way, { tools: { wait: tool.wait } }, waits);
    await read(call, later({ timeout: timeout(ms) }), tool);
    return tool.ends[0] === 'aborted';
  });
}

/** What ends a call, or a tool. */
export const TIMES: Checks = {
  'timeout.totalMs': (way) => isEndedBy(way, (totalMs) => ({ totalMs })),

  'timeout.stepMs': (way) =>
    within(async (stepMs, tool) => {
      const { wait } = tool;
      const { call, requests } = await going(way, { tools: { wait, add: adder().add } }, [adds, ...waits]);
      let steps = 0;
      await read(call, { prepareStep: () => ((steps += 1), {}), ...later({ timeout: { stepMs } }) }, tool);
      if (tool.ends.length > 0) expect(tool.ends).toEqual(['aborted']);
      return steps === requests.length;
    }),

  'timeout.chunkMs': async (way) => !(await isEndedBy(way, (chunkMs) => ({ chunkMs }))),
  'timeout.toolMs': (way) => isEndedBy(way, (toolMs) => ({ toolMs })),

  async abortSignal(way) {
    const { wait, ends, started } = waiting();
    const { call } = await going(way, { tools: { wait } }, waits);
    const controller = new AbortController();
    const done = generateText({ ...call, abortSignal: controller.signal }).catch(() => {});
    await started;
    controller.abort();
    await done;
    await expect.poll(() => ends).toEqual(['aborted']);
    return true;
  },

  async toolCallConcurrency(way) {
    let running = 0;
    let most = 0;
    const slow = toolOf(
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 20));
        running -= 1;
        return 'done';
      },
      { readOnly: true },
    );
    const twice = reply(calls('resp_1', ['slow', {}, 'call_1'], ['slow', {}, 'call_2']));
    const { call } = await going(way, { tools: { slow } }, [twice, five]);
    await generateText({ ...call, ...later({ toolCallConcurrency: 1 }) });
    return most === 1;
  },
};

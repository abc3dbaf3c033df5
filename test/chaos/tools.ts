import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ResponsesProviderSettings } from 'responses-loop';
import { asString } from '../../src/util/guards.js';
import { type Log, laneOfMarker } from './log.js';
import type { Does } from './scenario.js';

/** One run of a tool, as the tool itself saw it. */
export interface ToolRun {
  readonly tool: string;
  readonly marker: string;
  readonly order: number;
  readonly signal: AbortSignal;
  /** The lane in whose asynchronous context it ran; unknown over MCP. */
  readonly context: number | undefined;
  /** Other runs of its lane that were under way when it began. */
  readonly besides: readonly string[];
  isOver: boolean;
}

export const laneContext = new AsyncLocalStorage<number>();

type LocalTools = NonNullable<ResponsesProviderSettings['tools']>;
type Arguments = Readonly<Record<string, unknown>>;

export const HUGE = 'x'.repeat(3_000);

const SCHEMA = { type: 'object', properties: { m: { type: 'string' }, do: { type: 'string' } }, required: ['m'] };

/** Tools that do what their arguments say, and write down that they did. */
export class ToolBench {
  readonly runs: ToolRun[] = [];
  onStart: ((run: ToolRun) => void) | undefined;
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  local(): LocalTools {
    return { look: this.#localTool('look', true), act: this.#localTool('act', false) };
  }

  /** Every run is told before it does anything. */
  enter(tool: string, args: Arguments, signal: AbortSignal, context?: number): ToolRun {
    const marker = asString(args['m']) ?? asString(args['message']) ?? '?';
    const run: ToolRun = {
      tool,
      marker,
      order: this.runs.length,
      signal,
      context,
      besides: this.#underWay(marker),
      isOver: false,
    };
    this.runs.push(run);
    this.#log.note(laneOfMarker(marker), 'tool', marker);
    this.onStart?.(run);
    return run;
  }

  #underWay(marker: string): string[] {
    const lane = laneOfMarker(marker);
    const running = this.runs.filter((run) => !run.isOver && !run.signal.aborted && laneOfMarker(run.marker) === lane);
    return running.map((run) => run.marker);
  }

  #localTool(name: string, readOnly: boolean): LocalTools[string] {
    return {
      description: `The tool ${name}.`,
      inputSchema: SCHEMA,
      readOnly,
      execute: (args, { abortSignal }) => {
        const run = this.enter(name, args, abortSignal, laneContext.getStore() ?? -1);
        // Not awaited first: a tool may throw before it returns a promise.
        return LOCAL[doesOf(args)]?.(run);
      },
    };
  }
}

export function doesOf(args: Arguments): Does {
  return args['do'] as Does;
}

export function okText(marker: string): string {
  return `ok ${marker}`;
}

export function boomText(marker: string): string {
  return `boom ${marker}`;
}

const over = <T>(run: ToolRun, value: T): T => {
  run.isOver = true;
  return value;
};

const LOCAL: { readonly [K in Does]?: (run: ToolRun) => unknown } = {
  ok: (run) => over(run, okText(run.marker)),
  slow: async (run) => {
    await sleep(4);
    return over(run, okText(run.marker));
  },
  throw: (run) => {
    over(run, undefined);
    throw new Error(boomText(run.marker));
  },
  reject: (run) => {
    over(run, undefined);
    return Promise.reject(isEven(run) ? boomText(run.marker) : new TypeError(boomText(run.marker)));
  },
  'is-error': (run) => over(run, { isError: true, content: [{ type: 'text', text: boomText(run.marker) }] }),
  /** Ends when it is told to, and only then. */
  hang: (run) =>
    new Promise((_resolve, reject) => {
      run.signal.addEventListener('abort', () => reject(over(run, new Error('stopped'))), { once: true });
    }),
  deaf: () => new Promise(() => {}),
  junk: (run) => over(run, junk(run)),
  empty: (run) => over(run, isEven(run) ? '' : undefined),
  huge: (run) => over(run, `${okText(run.marker)} ${HUGE}`),
};

/** Hangs on the call only, so that it is the same whatever else goes on. */
function isEven({ marker }: ToolRun): boolean {
  return marker.length % 2 === 0;
}

function junk({ marker }: ToolRun): unknown {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const kinds: unknown[] = [
    circular,
    10n,
    () => 1,
    Symbol('junk'),
    new Map([[1, 2]]),
    Number.NaN,
    { content: 'text' },
    null,
  ];
  return kinds[[...marker].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % kinds.length];
}

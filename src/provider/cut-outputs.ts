import type { Observer } from '../observe/event.js';
import { notify } from '../observe/notify.js';
import type { OutputStore } from '../outputs/output-store.js';
import type { CallScope } from '../tools/call/call-scope.js';
import { outputChars, type OutputLimits } from '../tools/call/limit-output.js';
import type { LoopTool, OpeningCall } from '../tools/loop-tool.js';
import { errorText } from '../util/error-text.js';
import { freeName } from '../tools/names/free-name.js';

/** The form in which a mark names a readable output. */
const SIGN = '({"id":"out_';

/** Whether an output was cut, and the rest was kept. */
export function isCut({ output }: Pick<OpeningCall, 'output'>): boolean {
  return output.content.some((block) => block.type === 'text' && block.text.includes(SIGN));
}

export interface ReaderOptions {
  /** Names of all other tools of the call. */
  readonly names: Iterable<string>;
  readonly limits: OutputLimits;
  readonly observer?: Observer | undefined;
}

export interface OutputReader {
  readonly keepOutput: NonNullable<CallScope['keepOutput']>;
  /** Returns the tool with which the model reads kept outputs. */
  readonly tool: () => Promise<LoopTool>;
}

/** Lets calls of a provider read the cut parts of outputs. Loads the code at the first cut. */
export class CutOutputs {
  readonly #store: OutputStore | undefined;
  #loaded: Loaded | undefined;

  constructor(store: OutputStore | undefined) {
    this.#store = store;
  }

  /** Whether there may be an output to read. */
  get mayHaveKept(): boolean {
    return this.#store !== undefined || this.#loaded !== undefined;
  }

  reader({ names, limits, observer }: ReaderOptions): OutputReader {
    const name = freeName('read_output', new Set(names));
    const warn = (message: string): void => notify(observer, () => ({ type: 'warning', message }));
    return {
      keepOutput: async (gap, options) => {
        try {
          return await (await this.#load()).kept.keep(gap, { tool: name, ...options });
        } catch (error) {
          warn(`An output of a tool could not be kept: ${errorText(error)}.`);
          return ', which could not be kept';
        }
      },
      tool: async () => {
        const { kept, readOutputTool } = await this.#load();
        return readOutputTool({ name, kept, pageChars: outputChars(limits), warn });
      },
    };
  }

  /** Keeps no promise, because Workers refuse promises that requests share, and a chunk may load the next time. */
  async #load(): Promise<Loaded> {
    const { KeptOutputs, OutputMemory, readOutputTool } = await import('../outputs/outputs-ring.js');
    this.#loaded ??= { kept: new KeptOutputs(this.#store ?? new OutputMemory()), readOutputTool };
    return this.#loaded;
  }
}

type Ring = typeof import('../outputs/outputs-ring.js');
type Loaded = Pick<Ring, 'readOutputTool'> & { readonly kept: InstanceType<Ring['KeptOutputs']> };

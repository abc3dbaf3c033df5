import type { Call } from '../core/call.js';
import { type Message, textOutput, type ToolOutput, type ToolResultContent } from '../core/message.js';
import type { CallPlugin } from '../loop/call-plugin.js';
import { LateCalls } from '../loop/late-calls.js';
import type { LoopLimits } from '../loop/loop-options.js';
import type { OwnCall } from '../loop/own-calls.js';
import type { Observer } from '../observe/event.js';
import { notify } from '../observe/notify.js';
import type { OutputStore } from '../outputs/output-store.js';
import { ownOutput } from '../sdk/history/read-carrier.js';
import { type AbortLike, onceAborted } from '../util/abort.js';
import { errorText } from '../util/error-text.js';
import { parseJson } from '../util/json.js';
import { withTimeout } from '../util/timers.js';
import { lateRunsIn, lateText, runIdIn } from './late-text.js';

/** The longest wait for a store's answer, in milliseconds. */
const STORE_MS = 10_000;

/** The most results that a history may request. */
const MOST_RESULTS = 100;

/** A call that may have to wait for functions. */
export interface LateCallOptions {
  readonly call: Call;
  readonly plugin: CallPlugin | undefined;
  readonly limits: Pick<LoopLimits, 'asyncToolWaitMs'>;
  readonly observer: Observer | undefined;
  readonly ends: AbortLike;
}

export interface LateResultsOptions {
  readonly store: OutputStore;
  /** The end of the provider, which ends the runs. */
  readonly closed: AbortLike;
}

/** Keeps results of functions that ran longer than their call to the model, for the next turn of the conversation. */
export class LateResults {
  readonly #options: LateResultsOptions;
  /** Results that are being stored, by the names of their runs. */
  readonly #onTheWay = new Map<string, Promise<unknown>>();

  constructor(options: LateResultsOptions) {
    this.#options = options;
  }

  /** Returns the calls of one call to the model that may run on. */
  calls({ call, plugin, limits, observer, ends }: LateCallOptions): LateCalls {
    const { store, previousResponseId, conversation } = call.options;
    // Journals, and servers that keep the conversation, accept no external results.
    const mayLeave = plugin === undefined && store !== true && (previousResponseId ?? conversation ?? null) === null;
    const warn = (error: unknown): void =>
      notify(observer, () => ({
        type: 'warning',
        message: `The late result of a function could not be kept: ${errorText(error)}.`,
      }));
    const waitMs = mayLeave ? limits.asyncToolWaitMs : Infinity;
    return new LateCalls({ waitMs, ends, keep: (own) => this.keep(own, warn) });
  }

  /**
   * Lets a run continue until the provider is closed. Returns the interim output for the history, under a name that is
   * hard to guess, because clients send histories.
   */
  keep(own: OwnCall, warn: (error: unknown) => void): ToolOutput {
    const { store, closed } = this.#options;
    const id = `run_${crypto.randomUUID()}`;
    const release = onceAborted(closed, (reason) =>
      own.stop?.(reason instanceof Error ? reason : new Error('Closed.')),
    );
    const put = async (): Promise<void> => {
      await own.running;
      release();
      const putting = Promise.resolve(store.put(id, JSON.stringify(own.output)));
      this.#onTheWay.set(id, putting);
      await putting.finally(() => this.#onTheWay.delete(id));
    };
    put().catch(warn);
    return textOutput(lateText(id));
  }

  /** Returns messages with later results as outputs. */
  async filledIn(messages: readonly Message[]): Promise<readonly Message[]> {
    // Clients send histories, so their requests to the store are limited to the newest.
    const wanted = [...new Set(lateRunsIn(messages))].slice(-MOST_RESULTS);
    const found = await Promise.all(wanted.map(async (id) => [id, await this.#kept(id)] as const));
    const outputs = new Map(found);
    const fill = (result: ToolResultContent): ToolResultContent => {
      const output = outputs.get(runIdIn(result.output) ?? '');
      return output === undefined ? result : { ...result, output };
    };
    return messages.map((message) => {
      if (message.role !== 'assistant' && message.role !== 'tool') return message;
      const content = message.content.map((one) => (one.type === 'tool-result' ? fill(one) : one));
      // The same contents, some with a new output.
      return { ...message, content } as Message;
    });
  }

  /** A failed store counts as empty, so the model reads that the call still runs. */
  async #kept(id: string): Promise<ToolOutput | undefined> {
    const timeout = (): Error => new Error('The store did not answer.');
    const get = async (): Promise<string | null | undefined> => {
      await this.#onTheWay.get(id);
      return this.#options.store.get(id);
    };
    const kept = await withTimeout(get(), STORE_MS, timeout).catch(() => undefined);
    return ownOutput(typeof kept === 'string' ? parseJson(kept) : undefined);
  }
}

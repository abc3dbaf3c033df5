import type { ToolResultContent } from '../core/message.js';
import type { CallPart, FinishReason } from '../core/part.js';
import type { Round, RoundIds } from '../core/round.js';
import { raceAbort } from '../util/abort.js';
import type { RoundChange } from './between-rounds.js';
import type { CallRecord } from './call-record.js';
import type { LateCalls, LateEnd } from './late-calls.js';
import type { LoopOptions } from './loop-options.js';
import type { NextRound } from './next-round.js';
import { type AnsweredCall, toResultPart } from './own-calls.js';
import type { RoundRun } from './round-run.js';

export interface Crossing {
  /** Outputs of calls that ran on, for the next request. */
  readonly late: readonly ToolResultContent[];
  readonly change: RoundChange;
  /** The loop ends instead, for this reason. */
  readonly ends?: FinishReason;
}

/** A round that is over, in the form that it had. */
export interface Settled {
  readonly round: Pick<Round, 'origin'>;
  readonly next: Pick<NextRound, 'tools' | 'texts'>;
  /** Outputs of calls of earlier rounds. */
  readonly late: readonly ToolResultContent[];
}

interface BoundaryOptions {
  readonly ids: { forRound(round: number): RoundIds };
  readonly options: LoopOptions;
  readonly next: NextRound;
  readonly record: CallRecord;
  readonly emit: (parts: readonly CallPart[]) => Promise<void> | undefined;
}

/** The time between two rounds: late outputs arrive, tools are opened, and `between` acts. */
export class Boundary {
  readonly #loop: BoundaryOptions;

  constructor(loop: BoundaryOptions) {
    this.#loop = loop;
  }

  /** Forms the next round. `needsLate`: without an output of a call that ran on, it would have nothing new. */
  async cross(run: RoundRun, { needsLate }: { readonly needsLate: boolean }): Promise<Crossing> {
    const { next, options } = this.#loop;
    const { between, late: running } = options;
    const answered = run.calls?.tools.calls.answered() ?? [];
    if (next.mayOpen) await next.open(answered);
    const awaited = running === undefined || running.size === 0 ? undefined : running;
    if (between === undefined && awaited === undefined) return { change: {}, late: [] };
    return this.#form({ answered, awaited, needsLate });
  }

  async #form(deciding: Deciding): Promise<Crossing> {
    const { next, record, options, emit } = this.#loop;
    const { awaited } = deciding;
    const change = await this.#decide(deciding);
    // A loop that ends here settles what is open, because no round would carry it.
    const late = change.stop === 'now' ? [] : ((await this.#take(change, awaited)) ?? []);
    next.change(change);
    options.between?.use(change);
    if (change.stop !== undefined) record.stoppedBy = change.stoppedBy;
    if (change.stop === 'now') return { change, late, ends: isOutOfTime(change, awaited) ? 'stop' : 'tool-calls' };
    const shown = awaited?.preliminary() ?? [];
    if (shown.length > 0) await emit(shown);
    return { change, late };
  }

  /** Ends calls that run on, with the call to the model. */
  async settle(): Promise<void> {
    const { late } = this.#loop.options;
    if (late !== undefined && late.size > 0) await this.#loop.emit(await late.settle(this.#end()));
  }

  /**
   * Stops late calls, and notes which have acted, because the error then allows no retry. A later attempt that
   * continues has their outputs.
   */
  stop(): readonly CallPart[] {
    const { record, next, options } = this.#loop;
    const stopped = options.late?.stop(this.#end(), next.late ?? []);
    if (stopped === undefined) return [];
    record.addRuns(stopped.calls);
    return options.plugin?.rejected?.isFinal === false ? [] : stopped.parts;
  }

  #end(): LateEnd {
    const { ids, options, record, emit } = this.#loop;
    return { carrier: options.carrier, ids: ids.forRound(record.rounds.length), show: emit };
  }

  /** Returns what was decided, in this attempt or an earlier one. */
  #decide(how: Deciding): Promise<RoundChange> {
    const { record, options } = this.#loop;
    const { plugin, ends } = options;
    const decide = (): Promise<RoundChange> => this.#change(how);
    return raceAbort(plugin?.between(record.rounds.length, decide) ?? decide(), ends);
  }

  async #change({ answered, awaited, needsLate }: Deciding): Promise<RoundChange> {
    const { record, emit: show } = this.#loop;
    if (awaited === undefined) return this.#ask(answered);
    const late = await awaited.wait({ for: record.isAtLimit ? 'all' : needsLate ? 'one' : undefined, show });
    if (needsLate && late.length === 0) return OUT_OF_TIME;
    const change = await this.#ask([...answered, ...late]);
    // The last request of a call contains all outputs, as does one to a model that may refuse calls without outputs.
    const isWhole = change.stop === 'answer' || change.modelId !== undefined;
    const brought = isWhole ? await awaited.whole(show) : late;
    return { ...change, late: brought.map(({ call }) => call.callId) };
  }

  /** `answered`: the calls with outputs that the next request adds. */
  async #ask(answered: readonly AnsweredCall[]): Promise<RoundChange> {
    const { record, options, next } = this.#loop;
    const { names: tools, keptBack } = next;
    const place = { roundNumber: record.rounds.length, modelId: options.call.modelId, tools, keptBack };
    return (await options.between?.before(record.viewOf(answered, place))) ?? {};
  }

  /** Takes in the outputs that the round brings. */
  async #take({ late }: RoundChange, awaited: LateCalls | undefined): Promise<ToolResultContent[] | undefined> {
    const calls = late && (await awaited?.take(late));
    if (calls === undefined || calls.length === 0) return undefined;
    const { next, record, emit } = this.#loop;
    record.addLate(calls);
    const shown = calls.filter(({ fate }) => fate.shownAs !== undefined);
    if (shown.length > 0) await emit(shown.map(toResultPart));
    if (next.mayOpen) await next.open(calls);
    next.late = calls;
    return awaited?.resultsOf(calls);
  }
}

interface Deciding {
  readonly answered: readonly AnsweredCall[];
  /** Set if there are calls that run on. */
  readonly awaited: LateCalls | undefined;
  readonly needsLate: boolean;
}

const OUT_OF_TIME: RoundChange = { stop: 'now' };

/** Whether the loop ends because calls ran on for longer than it waits. */
function isOutOfTime({ late }: RoundChange, awaited: LateCalls | undefined): boolean {
  return awaited !== undefined && late === undefined;
}

import type { ModelMessage } from 'ai';
import type { EventMessage, EventType, Usage } from '../protocol/events.js';
import type { FileChange, LineOf, SessionMeta, StoredPart } from '../rollout/lines.js';
import type { ModeChange } from '../plan/modes.js';
import type { RolloutWriter } from '../rollout/write.js';
import { type ImageOf, type Summary, toMessages, type Turn, withOutput } from './history.js';
import { addUsage, NO_USAGE } from './usage.js';

/** Events that stay: what was allowed, what ran, what went wrong, what it cost. */
const KEPT: ReadonlySet<EventType> = new Set([
  'exec_approval_request',
  'approval_decision',
  'mode_changed',
  'sources',
  'tool_execution_begin',
  'tool_execution_end',
  'error',
  'token_count',
]);

/** What a session that goes on brings along. */
export interface Past {
  readonly turns: readonly Turn[];
  readonly summary?: Summary | undefined;
  readonly changes: readonly FileChange[];
  readonly usage: Usage;
  /** Tokens of the conversation, as the last round counted them. */
  readonly contextTokens: number;
  /** What it was in when it was left, as far as that is known. */
  readonly left: Partial<ModeChange>;
}

export const NO_PAST: Past = { turns: [], changes: [], usage: NO_USAGE, contextTokens: 0, left: {} };

/** What was said and done, in memory and on disk. */
export class Session {
  readonly meta: SessionMeta;
  readonly #rollout: RolloutWriter;
  readonly #imageOf: ImageOf;
  readonly #turns: Turn[];
  readonly #changes: FileChange[];
  #summary: Summary | undefined;
  #usage: Usage;
  #contextTokens: number;

  constructor(meta: SessionMeta, rollout: RolloutWriter, past: Past, imageOf: ImageOf) {
    this.meta = meta;
    this.#rollout = rollout;
    this.#imageOf = imageOf;
    this.#turns = past.turns.map((turn) => ({ ...turn, parts: [...turn.parts] }));
    this.#changes = [...past.changes];
    this.#summary = past.summary;
    this.#usage = past.usage;
    this.#contextTokens = past.contextTokens;
    this.#forgetSummarized();
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  get summary(): Summary | undefined {
    return this.#summary;
  }

  get changes(): readonly FileChange[] {
    return this.#changes;
  }

  /** Of all tasks. */
  get usage(): Usage {
    return this.#usage;
  }

  /** Of the conversation, as the last round counted them. */
  get contextTokens(): number {
    return this.#contextTokens;
  }

  get lastTurn(): number {
    return this.#turns.at(-1)?.number ?? 0;
  }

  /** Parts of all turns, the newest first. */
  *newestParts(): Generator<StoredPart> {
    for (const { parts } of this.#turns.toReversed()) yield* parts.toReversed();
  }

  messages(): Promise<ModelMessage[]> {
    return toMessages(this.#turns, this.#summary, this.#imageOf);
  }

  startTurn(
    text: string,
    { mode = 'work', own, attached = [] }: Partial<Pick<Turn, 'mode' | 'own' | 'attached'>> = {},
  ): Turn {
    const planned = mode === 'plan' ? { mode } : {};
    const brought = attached.length === 0 ? {} : { attached: [...attached] };
    const turn: Turn = { number: this.lastTurn + 1, text, ...planned, ...brought, parts: [], own };
    this.#turns.push(turn);
    this.#rollout.write({ type: 'user', turn: turn.number, text, ...planned, ...brought, command: own?.command });
    return turn;
  }

  /** Keeps what a command of the person printed. */
  endOwn(turn: Turn, output: string): void {
    this.#turns[this.#turns.findIndex(({ number }) => number === turn.number)] = withOutput(turn, output);
    this.#rollout.write({ type: 'own_output', turn: turn.number, text: output });
  }

  addPart(turn: Turn, part: StoredPart): void {
    turn.parts.push(part);
    this.#rollout.write({ type: 'part', turn: turn.number, part });
  }

  /** Of the last turn. */
  addEvent(msg: EventMessage): void {
    const isKept = KEPT.has(msg.type) || (msg.type === 'user_message' && msg.data.steered === true);
    if (!isKept || this.lastTurn === 0) return;
    this.#rollout.write({ type: 'event', turn: this.lastTurn, timestamp: new Date().toISOString(), msg });
  }

  addChange(change: Omit<FileChange, 'type'>): void {
    const line: FileChange = { type: 'file_change', ...change };
    this.#changes.push(line);
    this.#rollout.write(line);
  }

  addUsage(usage: Usage): void {
    this.#usage = addUsage(this.#usage, usage);
  }

  /** Tokens of the conversation, where a round has counted them. */
  keepSize(tokens: number): void {
    if (tokens > 0) this.#contextTokens = tokens;
  }

  compact(summary: Summary): void {
    this.#summary = summary;
    this.#forgetSummarized();
    this.#rollout.write({ type: 'compacted', through_turn: summary.throughTurn, summary: summary.text });
  }

  endTurn(turn: Turn, status: LineOf<'turn_end'>['status'], usage: Usage): void {
    this.#rollout.write({ type: 'turn_end', turn: turn.number, status, usage });
  }

  /** What a summary stands for the model never reads again: it is on disk, and only what the person said stays. */
  #forgetSummarized(): void {
    const { throughTurn = 0 } = this.#summary ?? {};
    for (const [index, { number, text, parts, own }] of this.#turns.entries()) {
      if (number > throughTurn || (parts.length === 0 && own === undefined)) continue;
      this.#turns[index] = { number, text, parts: [] };
    }
  }
}

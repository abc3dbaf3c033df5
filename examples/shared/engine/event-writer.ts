import { setTimeout as sleep } from 'node:timers/promises';
import { ReplayedEvents, type Change } from './replayed-events.js';
import type { HeldTurn, TurnTables } from './turn-tables.js';
import type { EngineOptions, KeptEvent } from './types.js';

/** Events that come in this time are kept together. */
const GATHER_MS = 15;
const RETRY_MS = 200;

export interface EventWriterOptions extends Pick<EngineOptions, 'compare' | 'rewound'> {
  readonly turn: HeldTurn;
  readonly tables: TurnTables;
  /** Nothing more may be written. */
  readonly isCut: () => boolean;
  /** Another attempt has the turn. */
  readonly onLost: () => void;
}

/** Keeps the events of one attempt, in their order, and none that an earlier attempt has kept. */
export class EventWriter {
  readonly #options: EventWriterOptions;
  readonly #replayed: ReplayedEvents;
  #lastSeq: number;
  #changes: Change[] = [];
  #writing: Promise<void> | undefined;
  #isEnding = false;
  #hasEnded = false;

  /** With what earlier attempts have kept. */
  constructor(options: EventWriterOptions, kept: readonly KeptEvent[]) {
    const { before } = options.turn;
    this.#options = options;
    this.#lastSeq = kept.at(-1)?.seq ?? before;
    this.#replayed = new ReplayedEvents(kept, before, options);
  }

  add(event: unknown): void {
    this.#take(this.#replayed.take(event));
  }

  /**
   * Nothing follows; waits until all is kept. The turn ends with its last events, so that whoever reads them can begin the
   * next one. Returns false if all was kept before: then the turn has not ended yet.
   */
  async end(): Promise<boolean> {
    this.#isEnding = true;
    this.#take(this.#replayed.end());
    while (this.#writing !== undefined) await this.#writing;
    return this.#hasEnded;
  }

  #take(change: Change): void {
    if (this.#options.isCut() || (change.after === undefined && change.events.length === 0)) return;
    this.#changes.push(change);
    this.#start();
  }

  #start(): void {
    this.#writing ??= this.#write().then(() => {
      this.#writing = undefined;
      // What came in at the last moment.
      if (this.#changes.length > 0 && !this.#options.isCut()) this.#start();
    });
  }

  async #write(): Promise<void> {
    await sleep(GATHER_MS);
    while (this.#changes.length > 0 && !this.#options.isCut()) await this.#append(this.#gather());
  }

  /** What can be kept at once: a change that replaces begins anew. */
  #gather(): Change {
    const [first = { events: [] }] = this.#changes;
    const next = this.#changes.findIndex(({ after }, index) => index > 0 && after !== undefined);
    const together = this.#changes.splice(0, next === -1 ? this.#changes.length : next);
    return { ...first, events: together.flatMap(({ events }) => events) };
  }

  async #append({ after, events }: Change): Promise<void> {
    const { turn, tables, rewound, isCut, onLost } = this.#options;
    const all = after === undefined ? events : [rewound(after), ...events];
    const numbered = all.map((event) => ({ seq: (this.#lastSeq += 1), event }));
    while (!isCut()) {
      try {
        const isLast = this.#isEnding && this.#changes.length === 0;
        const isKept = await tables.append(turn, { after, events: numbered, isLast });
        // After a lost answer it has ended already.
        if (isKept || (isLast && (await tables.hasEnded(turn.id)))) this.#hasEnded = isLast;
        else onLost();
        return;
      } catch {
        // The database is away: without it this instance is cut off before long.
        await sleep(RETRY_MS);
      }
    }
  }
}

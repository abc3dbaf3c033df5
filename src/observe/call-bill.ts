import { sumUsage, type Usage } from '../core/usage.js';
import { defined } from '../util/defined.js';
import { estimatedTokens } from '../util/estimated-tokens.js';
import type { CallBill, Observer, ObserverEvent } from './event.js';
import { observing } from './notify.js';

type EventOf<T extends ObserverEvent['type']> = Extract<ObserverEvent, { type: T }>;
type Rounds = CallBill['rounds'];
type ToolBill = CallBill['tools'][number];

/** The app's setting `price`. */
type PriceOf = (usage: Usage, modelId: string) => number | undefined;

/** Returns an observer of one call that passes its events on, and adds the cost of rounds and call to their ends. */
export function billing(observer: Observer, price: PriceOf | undefined): Observer {
  const bill = new Bill(price);
  return observing(observer, (event) => observer(bill.add(event)));
}

interface Tool extends Pick<ToolBill, 'tool' | 'source'> {
  runs: number;
  errors: number;
  durationMs: number;
  outputChars: number;
  /** Characters of outputs in all requests. */
  sentChars: number;
}

/** Adds up one call. */
class Bill {
  readonly #price: PriceOf | undefined;
  readonly #rounds: Rounds[number][] = [];
  readonly #tools = new Map<string, Tool>();
  #modelId = '';

  constructor(price: PriceOf | undefined) {
    this.#price = price;
  }

  add(event: ObserverEvent): ObserverEvent {
    switch (event.type) {
      case 'call-start':
        this.#modelId = event.modelId;
        return event;
      case 'round-start':
        for (const tool of this.#tools.values()) tool.sentChars += tool.outputChars;
        return event;
      case 'round-end':
        return this.#endRound(event);
      case 'tool-end':
        this.#endTool(event);
        return event;
      case 'call-end':
        return { ...event, bill: this.#total() };
      default:
        return event;
    }
  }

  #endRound(event: EventOf<'round-end'>): ObserverEvent {
    const { round, modelId = this.#modelId } = event;
    const { raw: _raw, ...usage } = event.usage;
    const cost = this.#costOf(event.usage, modelId);
    this.#rounds.push({ round, modelId, usage, ...cost });
    return { ...event, ...cost };
  }

  /** A broken round has no usage, and so no known cost. */
  #costOf(usage: Usage, modelId: string): { readonly cost?: number } {
    if (Object.keys(usage).length === 0) return {};
    try {
      const cost = this.#price?.(usage, modelId);
      return Number.isFinite(cost) ? defined({ cost }) : {};
    } catch {
      // An observer changes nothing; between rounds the same error ends the call.
      return {};
    }
  }

  #endTool({ tool: name, source, isError, durationMs, outputChars }: EventOf<'tool-end'>): void {
    const key = `${source}\n${name}`;
    const tool = this.#tools.get(key) ?? {
      tool: name,
      source,
      runs: 0,
      errors: 0,
      durationMs: 0,
      outputChars: 0,
      sentChars: 0,
    };
    tool.runs += 1;
    tool.errors += Number(isError);
    tool.durationMs += durationMs;
    tool.outputChars += outputChars;
    this.#tools.set(key, tool);
  }

  #total(): CallBill {
    const rounds = this.#rounds;
    const costs = rounds.flatMap(({ cost }) => cost ?? []);
    const isKnown = costs.length > 0 && costs.length === rounds.length;
    return {
      usage: sumUsage(rounds),
      ...(isKnown && { cost: costs.reduce((sum, cost) => sum + cost, 0) }),
      rounds,
      tools: [...this.#tools.values()].map(({ sentChars, ...tool }) => ({
        ...tool,
        estimatedInputTokens: estimatedTokens(sentChars),
      })),
    };
  }
}

import { createHash } from 'node:crypto';
import type { ObserverEvent } from '../observe/event.js';
import { defined } from '../util/defined.js';
import { isRecord } from '../util/guards.js';
import { FORMAT, rangesOf, VERSION } from './event-format.js';

/** A shorter value needs less room in place than as a numbered part. */
const MIN_PART_CHARS = 120;
/**
 * Parts that are recognized, kept in two generations: a long loop repeats its parts, and a server that runs for weeks
 * needs bounded memory.
 */
const KNOWN_PARTS = 20_000;

/** Writes the lines of one recorder. A part that was written before is only named. */
export class EventLines {
  readonly #run: string;
  readonly #most: number;
  #count = 0;
  #known = new Map<string, number>();
  #before = new Map<string, number>();

  constructor(run: string, most = KNOWN_PARTS) {
    this.#run = run;
    this.#most = most;
  }

  head(at: number): string {
    return `${JSON.stringify({ format: FORMAT, version: VERSION, run: this.#run, at })}\n`;
  }

  /** Returns the line of an event, after the lines of its new parts. */
  of(event: ObserverEvent, at: number): string {
    const places = new Places();
    const parts: string[] = [];
    let line = '';
    try {
      const rest = this.#split(event, places, parts);
      line = `${JSON.stringify({ run: this.#run, at, event: rest, ...places.members() })}\n`;
    } catch {
      // An event that is no JSON is dropped. Its parts keep their numbers, because later events name them.
    }
    return parts.join('') + line;
  }

  /** Returns the event without the parts that rounds repeat. */
  #split(event: ObserverEvent, places: Places, parts: string[]): object {
    const { headers, tools, content, body, call, ...rest } = event as Record<string, unknown>;
    const repeated = this.#members(defined({ headers, tools, content }), '', places, parts);
    const inner = Object.entries(defined({ body, call })).map(([name, value]) => [
      name,
      isRecord(value) ? this.#members(value, `${name}.`, places, parts) : value,
    ]);
    return { ...rest, ...repeated, ...Object.fromEntries(inner) };
  }

  /** Keeps short members; others become parts, and lists become one part per entry. */
  #members(value: Readonly<Record<string, unknown>>, prefix: string, places: Places, parts: string[]): object {
    const short: [string, unknown][] = [];
    for (const [name, member] of Object.entries(value)) {
      const text = Array.isArray(member) ? '' : (JSON.stringify(member) ?? '');
      if (Array.isArray(member) && member.length > 0)
        places.lists.push([
          `${prefix}${name}`,
          rangesOf(member.map((entry) => this.#part(JSON.stringify(entry) ?? 'null', parts))),
        ]);
      else if (text.length >= MIN_PART_CHARS) places.values.push([`${prefix}${name}`, this.#part(text, parts)]);
      else short.push([name, member]);
    }
    return Object.fromEntries(short);
  }

  #part(text: string, parts: string[]): number {
    // Only the hash is kept, because a file may hold more than fits into memory.
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    const known = this.#known.get(hash) ?? this.#before.get(hash);
    const part = known ?? (this.#count += 1);
    if (known === undefined) parts.push(`${JSON.stringify({ run: this.#run, part }).slice(0, -1)},"value":${text}}\n`);
    if (this.#known.size >= this.#most) {
      this.#before = this.#known;
      this.#known = new Map();
    }
    this.#known.set(hash, part);
    return part;
  }
}

class Places {
  readonly lists: [string, readonly number[]][] = [];
  readonly values: [string, number][] = [];

  members(): object {
    return {
      ...(this.lists.length > 0 && { lists: Object.fromEntries(this.lists) }),
      ...(this.values.length > 0 && { values: Object.fromEntries(this.values) }),
    };
  }
}

import type { Rule } from '../approval/types.js';
import type { ShownRule } from './engine.js';
import { printRule } from './stand-ins.js';

export type RuleScope = 'session' | 'always';

/** What was allowed for longer than once: for this session, or in this folder for good. */
export class Rules {
  readonly #session: Rule[];
  #always: Rule[] = [];

  constructor(session: readonly Rule[]) {
    this.#session = [...session];
  }

  get all(): readonly Rule[] {
    return [...this.#always, ...this.#session];
  }

  list(): ShownRule[] {
    return [
      ...this.#always.map((rule) => ({ text: printRule(rule), scope: 'always' as const })),
      ...this.#session.map((rule) => ({ text: printRule(rule), scope: 'session' as const })),
    ];
  }

  allow(rule: Rule, scope: RuleScope): void {
    (scope === 'session' ? this.#session : this.#always).push(rule);
  }

  async remove(text: string): Promise<boolean> {
    const before = this.all.length;
    for (const list of [this.#session, this.#always]) {
      const at = list.findIndex((rule) => printRule(rule) === text);
      if (at >= 0) list.splice(at, 1);
    }
    return this.all.length < before;
  }
}

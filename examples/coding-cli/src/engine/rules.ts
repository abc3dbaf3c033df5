import type { PermissionsFile } from '../approval/permissions-file.js';
import { parseRule, printRule } from '../approval/rules.js';
import type { Rule } from '../approval/types.js';
import type { ShownRule } from './engine.js';

type Scope = ShownRule['scope'];

/** What was allowed for longer than once: by the settings, in this folder for good, or for this session. */
export class Rules {
  readonly #file: PermissionsFile;
  readonly #taken: Readonly<Record<Scope, Rule[]>>;

  /** @throws SettingsError if a rule of the settings, or the file, cannot be read. */
  constructor(file: PermissionsFile, settings: readonly string[]) {
    this.#file = file;
    this.#taken = { settings: settings.map(parseRule), always: [...file.read()], session: [] };
  }

  /** Newest last. */
  get all(): readonly Rule[] {
    const { settings, always, session } = this.#taken;
    return [...settings, ...always, ...session];
  }

  list(): ShownRule[] {
    const entries = Object.entries(this.#taken) as [Scope, Rule[]][];
    return entries.flatMap(([scope, rules]) => rules.map((rule) => ({ text: printRule(rule), scope })));
  }

  /** Holds at once; rejects if it could not be kept for good. */
  async allow(rule: Rule, scope: 'session' | 'always'): Promise<void> {
    this.#taken[scope].push(rule);
    if (scope === 'always') await this.#file.add(rule);
  }

  /** Whether there was such a rule. */
  async remove(text: string): Promise<boolean> {
    let isThere = false;
    for (const rules of Object.values(this.#taken)) {
      const at = rules.findIndex((rule) => printRule(rule) === text);
      if (at >= 0) rules.splice(at, 1);
      isThere ||= at >= 0;
    }
    return (await this.#file.remove(parseRule(text))) || isThere;
  }
}

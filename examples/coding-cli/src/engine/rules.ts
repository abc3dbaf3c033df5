import type { PermissionsFile } from '../approval/permissions-file.js';
import { parseRule, printRule } from '../approval/rules.js';
import type { Rule } from '../approval/types.js';
import type { ShownRule } from './engine.js';

type Scope = ShownRule['scope'];

/** What was allowed for longer than once: by the settings, in this folder for good, or for this session. */
export class Rules {
  readonly #outdated: readonly string[];
  readonly #file: PermissionsFile;
  readonly #taken: Readonly<Record<Scope, Rule[]>>;

  /** @throws SettingsError if a rule of the settings, or the file, cannot be read. */
  constructor(file: PermissionsFile, settings: readonly string[]) {
    this.#file = file;
    const { rules, outdated } = file.read();
    this.#outdated = outdated;
    this.#taken = { settings: settings.map(parseRule), always: [...rules], session: [] };
  }

  /** For the user, once: which rules of an earlier version hold no longer. They are gone from the file then. */
  async nameOutdated(): Promise<string | undefined> {
    if (this.#outdated.length === 0) return undefined;
    // A file that cannot be written is named again by the next session.
    await this.#file.forget(this.#outdated).catch(() => {});
    const named = this.#outdated.map((text) => `"${text}"`).join(', ');
    return `${named}: this rule allowed any option of a program and no longer applies. Rules now name the options, as the next question shows.`;
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

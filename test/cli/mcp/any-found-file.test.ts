import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeEntries } from '../../../src/cli/mcp/describe-entries.js';
import { expandVariables } from '../../../src/cli/mcp/expand-variables.js';
import { isRecord } from '../../../src/util/guards.js';
import { spellText } from '../../../src/util/spell-text.js';

const odd = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\n  is        disabled', '\u001b[2J', '\u202e', '\u3164', '⟨U+0041⟩', '${HOME}', '${X:-y}', 'a b'),
);
const texts = fc.array(odd, { maxLength: 4 });
const names = fc.oneof(odd, fc.constantFrom('LD_PRELOAD', 'API_TOKEN', 'authorization', '__proto__'));
const map = fc.dictionary(names, odd, { maxKeys: 3 });
const json = fc.jsonValue({ maxDepth: 2 });
const entry = fc.record(
  {
    command: fc.oneof(odd, json),
    args: fc.oneof(texts, json),
    cwd: fc.oneof(odd, json),
    env: fc.oneof(map, json),
    url: fc.oneof(odd, json),
    headers: fc.oneof(map, json),
    meta: json,
    type: odd,
  },
  { requiredKeys: [] },
);
const file = fc.dictionary(names, fc.oneof(entry, json), { maxKeys: 4 });

/** Every text in a value, with the names of its members. */
function leavesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return Object.entries(value).flatMap(([, member]) => leavesOf(member));
}

const shown = (servers: Readonly<Record<string, unknown>>): string => describeEntries(servers).join('\n');

describe('what a found file would start and send, whatever stands in it', () => {
  it('is shown completely and escaped, one item per line', () => {
    fc.assert(
      fc.property(file, (servers) => {
        const text = shown(servers);
        const isToken = (leaf: string): boolean => /^"(?:(?:basic|bearer|token) )?[\w+=~-]{8,}"$/i.test(leaf);
        for (const server of Object.values<unknown>(servers)) {
          if (isRecord(server) && (server['disabled'] === true || server['enabled'] === false)) continue;
          for (const leaf of leavesOf(server)) if (!isToken(leaf)) expect(text).toContain(spellText(leaf));
        }
        for (const line of text.split('\n')) expect(line).toMatch(/^(?:"|$| {2}[a-z])/);
        expect(spellText(text.replaceAll(/[⟨⟩⇥␍↩]/g, ''))).not.toMatch(/⟨U\+(?!0020|2800)/);
      }),
      { numRuns: 500 },
    );
  });

  it('names every variable that would be read, and holds the value of none', () => {
    const env = new Proxy({}, { get: (_target, name) => `value-of-${String(name)}` });
    fc.assert(
      fc.property(file, (servers) => {
        const read = new Set<string>();
        const watched = new Proxy(env, { get: (_target, name) => (read.add(String(name)), 'x') });
        for (const server of Object.values(servers)) expandVariables(server, watched);
        const text = shown(servers);
        for (const name of read) expect(text).toContain(`reads     ${name} from your environment, into `);
        expect(text).not.toContain('value-of-');
      }),
    );
  });
});

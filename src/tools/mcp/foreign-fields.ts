type Entry = Record<string, unknown>;

/**
 * What fields of ours are called in the files of other clients, where the meaning is certain. Not so `timeout`: some clients
 * count it in seconds, others in milliseconds.
 */
const ALIASES: readonly (readonly [foreign: string, ours: 'url' | 'denyTools'])[] = [
  ['serverUrl', 'url'],
  ['httpUrl', 'url'],
  ['disabledTools', 'denyTools'],
];

/** An entry from the file of another client in our words. Of two lists of denied tools both count. */
export function translateForeignFields(entry: Entry): Entry {
  const translated = { ...entry };
  for (const [foreign, ours] of ALIASES) {
    const { [foreign]: given, [ours]: known } = translated;
    delete translated[foreign];
    if (given === undefined) continue;
    translated[ours] =
      known !== undefined && ours === 'denyTools' ? [list(known), list(given)].flat() : (known ?? given);
  }
  return translated;
}

/** Two addresses in one entry: it cannot be known which of them is meant. */
export function foreignClash(entry: Entry): string | undefined {
  const [first, second] = ['command', 'client', 'url', 'serverUrl', 'httpUrl'].filter(
    (name) => entry[name] !== undefined,
  );
  const isForeign = ALIASES.some(([foreign]) => foreign === second);
  return isForeign ? `has both \`${first}\` and \`${second}\`; keep one of them` : undefined;
}

/** A complaint about a translated entry, in the words of the entry. */
export function inForeignWords(complaint: string, entry: Entry): string {
  // With both names in it, a complaint about two addresses names ours on purpose.
  const used = ALIASES.filter(
    ([foreign, ours]) => entry[foreign] !== undefined && (ours !== 'url' || entry[ours] === undefined),
  );
  return used.reduce((text, [foreign, ours]) => text.replace(`\`${ours}\``, `\`${foreign}\``), complaint);
}

/** What is no list is left for the check to find. */
function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

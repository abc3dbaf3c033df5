type Entry = Record<string, unknown>;

const URLS = ['serverUrl', 'httpUrl'] as const;
const DENIED = 'disabledTools';

/**
 * An entry from the file of another client in our words, where the meaning of its fields is certain. Not so `timeout`: some
 * clients count it in seconds, others in milliseconds.
 */
export function translateForeignFields(entry: Entry): Entry {
  const { [DENIED]: denied, denyTools, ...rest } = entry;
  const url = foreignUrl(entry);
  const names =
    denied === undefined || denyTools === undefined ? (denied ?? denyTools) : [...list(denyTools), ...list(denied)];
  return {
    ...rest,
    ...(url === undefined || rest['url'] !== undefined ? {} : { url: rest[url] }),
    ...(names === undefined ? {} : { denyTools: names }),
  };
}

/** Two addresses in one entry: nobody knows which of them is meant. */
export function foreignClash(entry: Entry): string | undefined {
  const [first, second] = ['command', 'client', 'url', ...URLS].filter((name) => entry[name] !== undefined);
  const isForeign = URLS.some((name) => name === second);
  return isForeign ? `has both \`${first}\` and \`${second}\`; keep one of them` : undefined;
}

/** A complaint about a translated entry, in the words of whoever wrote it. */
export function inForeignWords(complaint: string, entry: Entry): string {
  const url = foreignUrl(entry) ?? 'url';
  const denied = entry[DENIED] === undefined ? 'denyTools' : DENIED;
  return complaint.replace('a `url`', `a \`${url}\``).replace('has `denyTools` that', `has \`${denied}\` that`);
}

function foreignUrl(entry: Entry): string | undefined {
  return URLS.find((name) => entry[name] !== undefined);
}

/** What is no list is left for the check to find. */
function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

import { isTellingHeader, isTellingSetting } from '../../observe/secret-names.js';
import { isDisabled, translateForeignFields } from '../../tools/mcp/server-config.js';
import { isRecord } from '../../util/guards.js';
import { spellText } from '../../util/spell-text.js';
import { variablesIn } from './expand-variables.js';

const WIDTH = 10;

/**
 * Describes what the servers of a file would do, without expanding variables. It is complete, and every character that
 * is not plainly printable is spelled; only keys and tokens in the file are hidden.
 */
export function describeEntries(servers: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(servers).flatMap(([key, entry]) => [show(key), ...describeEntry(entry)]);
}

function describeEntry(entry: unknown): readonly string[] {
  if (!isRecord(entry)) return [row('is', show(entry))];
  if (isDisabled(entry)) return [row('is', 'disabled')];
  const { command, args, cwd, env, url, headers, ...rest } = translateForeignFields(entry);
  const words = [command, args].flat().filter((word) => word !== undefined);
  return [
    ...(words.length === 0 ? [] : [row('starts', words.map(show).join(' '))]),
    ...(cwd === undefined ? [] : [row('in', show(cwd))]),
    ...pairs('sets', env, isTellingSetting),
    ...(url === undefined ? [] : [row('sends to', show(url))]),
    ...pairs('header', headers, isTellingHeader),
    ...variablesIn(entry).map(({ name, place }) => row('reads', `${name} from your environment, into ${show(place)}`)),
    ...Object.entries(rest).map(([name, value]) => row('option', `${show(name)}: ${show(value)}`)),
  ];
}

function pairs(title: string, value: unknown, isTelling: (name: string) => boolean): readonly string[] {
  if (value === undefined) return [];
  if (!isRecord(value)) return [row(title, show(value))];
  return Object.entries(value).map(([name, member]) =>
    row(
      title,
      `${show(name)} = ${isTelling(name) && isToken(member) ? `a secret of ${member.length} characters` : show(member)}`,
    ),
  );
}

/** Values are shown too, because names alone would hide a program: `GIT_ASKPASS` names one. */
const TOKEN = /^(?:(?:Basic|Bearer|Token) )?[\w+=~-]{8,}$/i;

function isToken(value: unknown): value is string {
  return typeof value === 'string' && TOKEN.test(value);
}

function row(title: string, text: string): string {
  return `  ${title.padEnd(WIDTH)}${text}`;
}

function show(value: unknown): string {
  return spellText(JSON.stringify(value) ?? String(value));
}

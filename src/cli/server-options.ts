import type { ParseArgsConfig } from 'node:util';
import { redactUrl } from '../observe/redact.js';
import { readKeys } from '../request/read-keys.js';
import { showControls } from '../util/control-characters.js';
import { errorText } from '../util/error-text.js';
import { UsageError } from './command.js';

/** The options that name a server and its credentials, the same in every command. */
export const SERVER_OPTIONS = {
  'base-url': { type: 'string' },
  model: { type: 'string', short: 'm' },
  'api-key-env': { type: 'string' },
  header: { type: 'string', multiple: true },
} satisfies NonNullable<ParseArgsConfig['options']>;

export const SERVER_HELP = `  --base-url URL      the base URL of the server: http://127.0.0.1:8080/v1
                      (default OPENAI_BASE_URL, then https://api.openai.com/v1)
  -m, --model NAME    the model (default: the first model that the server lists)
  --api-key-env NAME  the environment variable with the key, or with several
                      keys separated by commas (default OPENAI_API_KEY)
  --header NAME=VALUE a header for every request; repeatable
`;

export interface Server {
  readonly baseURL: string;
  readonly model: string | undefined;
  /** Local servers often need no key. A conversation uses all keys in turn; single requests use the first. */
  readonly apiKeys: readonly string[];
  /** The variable that the keys are read from, or would be. */
  readonly keyName: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The values that `parseArgs` returns for `SERVER_OPTIONS`. */
interface ServerValues {
  readonly 'base-url'?: string | undefined;
  readonly model?: string | undefined;
  readonly 'api-key-env'?: string | undefined;
  readonly header?: string[] | undefined;
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Values that `fetch` accepts; its own errors would repeat the value. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;
const OPENAI = 'https://api.openai.com/v1';

export function readServer(values: ServerValues, env: Readonly<Record<string, string | undefined>>): Server {
  const keyName = values['api-key-env'] ?? 'OPENAI_API_KEY';
  const apiKeys = keysOf(keyName, env[keyName]);
  if (values['api-key-env'] !== undefined && apiKeys.length === 0)
    throw new UsageError(`--api-key-env: the environment has no "${showControls(keyName)}".`);
  return {
    baseURL: readURL(values['base-url'] ?? (env['OPENAI_BASE_URL'] || OPENAI)),
    model: values.model,
    apiKeys,
    keyName,
    headers: Object.fromEntries((values.header ?? []).map(readHeader)),
  };
}

/** Whether a header of the user carries a key, so that no other is needed. */
export function hasKeyHeader({ headers }: Pick<Server, 'headers'>): boolean {
  return Object.keys(headers).some((name) => /^(?:authorization|api-key|x-api-key)$/i.test(name));
}

function keysOf(name: string, value: string | undefined): readonly string[] {
  try {
    return readKeys(value);
  } catch (error) {
    throw new UsageError(`"${showControls(name)}" in the environment: ${errorText(error)}`);
  }
}

function readURL(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(`--base-url: ${shownURL(text)} has no http:// or https:// before it; ${adviceFor(text)}.`);
  return text.endsWith('/') ? text.slice(0, -1) : text;
}

/** A password may precede an `@`, even without a scheme. */
function shownURL(text: string): string {
  return text.includes('@') ? 'what is given' : `"${showControls(redactUrl(text))}"`;
}

/** A host without its scheme. */
const BARE_HOST = /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?(?:\/[\w./-]*)?$/i;

function adviceFor(text: string): string {
  return BARE_HOST.test(text) ? `write http://${text}` : 'it looks like http://127.0.0.1:8080/v1';
}

function readHeader(text: string): readonly [string, string] {
  const end = text.indexOf('=');
  const name = text.slice(0, end);
  // The value may be a key, so it is not repeated.
  if (end < 1 || !HEADER_NAME.test(name)) throw new UsageError('--header: write NAME=VALUE.');
  const value = text.slice(end + 1);
  if (!SENDABLE.test(value))
    throw new UsageError(`--header: the value of "${name}" has a character that cannot be sent in a header.`);
  return [name, value];
}

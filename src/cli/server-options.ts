import type { ParseArgsConfig } from 'node:util';
import { showControls } from '../util/control-characters.js';
import { UsageError } from './command.js';

/** Which server is asked, and as whom: the same options in each command that asks one. */
export const SERVER_OPTIONS = {
  'base-url': { type: 'string' },
  model: { type: 'string', short: 'm' },
  'api-key-env': { type: 'string' },
  header: { type: 'string', multiple: true },
} satisfies NonNullable<ParseArgsConfig['options']>;

export const SERVER_HELP = `  --base-url URL      the server, with its version: http://127.0.0.1:8080/v1
                      (default OPENAI_BASE_URL, then https://api.openai.com/v1)
  -m, --model NAME    the model (default: the first one that the server lists)
  --api-key-env NAME  the environment variable that holds the key (default OPENAI_API_KEY)
  --header NAME=VALUE a header of every request; may stand more than once
`;

export interface Server {
  readonly baseURL: string;
  readonly model: string | undefined;
  /** Servers on this machine often want none. */
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** What `parseArgs` made of `SERVER_OPTIONS`. */
interface ServerValues {
  readonly 'base-url'?: string | undefined;
  readonly model?: string | undefined;
  readonly 'api-key-env'?: string | undefined;
  readonly header?: string[] | undefined;
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const OPENAI = 'https://api.openai.com/v1';

export function readServer(values: ServerValues, env: Readonly<Record<string, string | undefined>>): Server {
  const keyName = values['api-key-env'] ?? 'OPENAI_API_KEY';
  const apiKey = env[keyName];
  if (values['api-key-env'] !== undefined && !apiKey)
    throw new UsageError(`--api-key-env: the environment has no "${showControls(keyName)}".`);
  return {
    baseURL: readURL(values['base-url'] ?? (env['OPENAI_BASE_URL'] || OPENAI)),
    model: values.model,
    apiKey: apiKey === '' ? undefined : apiKey,
    headers: Object.fromEntries((values.header ?? []).map(readHeader)),
  };
}

function readURL(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(`--base-url: "${showControls(text)}" is no URL; it looks like http://127.0.0.1:8080/v1.`);
  return text.endsWith('/') ? text.slice(0, -1) : text;
}

function readHeader(text: string): readonly [string, string] {
  const end = text.indexOf('=');
  const name = text.slice(0, end);
  // The value may be a key: it is not repeated.
  if (end < 1 || !HEADER_NAME.test(name)) throw new UsageError('--header: write NAME=VALUE.');
  return [name, text.slice(end + 1)];
}

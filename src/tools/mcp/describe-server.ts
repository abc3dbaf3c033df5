import { redactUrl, secretsOf as secretsIn } from '../../observe/redact.js';
import { isTellingSetting, looksSecret } from '../../observe/secret-names.js';
import { isClientConfig, isStdioConfig, type McpServerConfig } from './server-config.js';

/** What was tried, for messages: the command line or the URL, without what opens doors. */
export function describeServer(config: McpServerConfig): string {
  if (isClientConfig(config)) return 'a client that was handed in';
  return isStdioConfig(config)
    ? `command "${[config.command, ...hideArguments(config.args ?? [])].join(' ')}"`
    : `URL ${redactUrl(String(config.url))}`;
}

/** What the settings of a server hold in confidence: header values, parts of the URL, environment values and arguments. */
export function secretsOfServer(config: McpServerConfig): readonly string[] {
  if (isClientConfig(config)) return [];
  if (isStdioConfig(config)) return [...secretsOfEnvironment(config.env ?? {}), ...secretArguments(config.args ?? [])];
  const url = new URL(config.url);
  const headers = typeof config.headers === 'object' ? config.headers : {};
  // Harmless ones (`accept: json`) would black out the words they share with messages.
  const keys = Object.values(headers).filter((value) => looksSecret(value));
  return [...secretsIn({ url: url.href, headers, body: undefined }), ...keys, url.password];
}

/** Of a URL (`AUTH_URL`, `DATABASE_TOKEN_URL`) only what opens doors in it. */
function secretsOfEnvironment(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const isSecret = isTellingSetting(name) || looksSecret(value);
    return secretsOfUrl(value) ?? (isSecret ? [value] : []);
  });
}

/** What opens doors in a URL; `undefined` if a value is something else. */
function secretsOfUrl(value: string): readonly string[] | undefined {
  if (!value.includes('://') || !URL.canParse(value)) return undefined;
  return secretsIn({ url: value, headers: {}, body: undefined });
}

const HIDDEN = '[redacted]';

/** `--api-key X`, `--token=X` and values that look like keys by themselves. */
function hideArguments(args: readonly string[]): readonly string[] {
  return args.map((argument, index) => {
    const secret = secretArgument(argument, args[index - 1] ?? '');
    if (secret !== undefined) return `${argument.slice(0, argument.length - secret.length)}${HIDDEN}`;
    return argument.includes('://') ? redactUrl(argument) : argument;
  });
}

function secretArguments(args: readonly string[]): readonly string[] {
  return args.flatMap((argument, index) => {
    const secret = secretArgument(argument, args[index - 1] ?? '');
    return secret === undefined ? (secretsOfUrl(argument) ?? []) : [secret];
  });
}

/** The end of an argument that is secret, if there is one. */
function secretArgument(argument: string, previous: string): string | undefined {
  if (looksSecret(argument)) return argument;
  if (previous.startsWith('-') && !previous.includes('=') && isTellingSetting(previous)) return argument;
  const at = argument.indexOf('=');
  return at >= 0 && isTellingSetting(argument.slice(0, at)) ? argument.slice(at + 1) : undefined;
}

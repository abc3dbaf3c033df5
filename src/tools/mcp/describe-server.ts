import { redactUrl, secretsOf as secretsIn } from '../../observe/redact.js';
import { isTellingSetting, looksSecret } from '../../observe/secret-names.js';
import { isClientConfig, isStdioConfig, type McpServerConfig } from './server-config.js';

/** Returns the command line or the URL without secrets, for messages. */
export function describeServer(config: McpServerConfig): string {
  if (isClientConfig(config)) return 'a client that was handed in';
  return isStdioConfig(config)
    ? `command "${[config.command, ...hideArguments(config.args ?? [])].join(' ')}"`
    : `URL ${redactUrl(String(config.url))}`;
}

/** Returns the secrets in a server's settings: header values, parts of the URL, environment values and arguments. */
export function secretsOfServer(config: McpServerConfig): readonly string[] {
  if (isClientConfig(config)) return [];
  if (isStdioConfig(config)) return [...secretsOfEnvironment(config.env ?? {}), ...secretArguments(config.args ?? [])];
  const url = new URL(config.url);
  const headers = typeof config.headers === 'object' ? config.headers : {};
  // Harmless values (`accept: json`) would black out ordinary words of messages.
  const keys = Object.values(headers).filter((value) => looksSecret(value));
  return [...secretsIn({ url: url.href, headers, body: undefined }), ...keys, url.password];
}

/** Of a URL (`AUTH_URL`, `DATABASE_TOKEN_URL`), only its secret parts count. */
function secretsOfEnvironment(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const isSecret = isTellingSetting(name) || looksSecret(value);
    return secretsOfUrl(value) ?? (isSecret ? [value] : []);
  });
}

/** Returns the secret parts of a URL; `undefined` if the value is no URL. */
function secretsOfUrl(value: string): readonly string[] | undefined {
  if (!value.includes('://') || !URL.canParse(value)) return undefined;
  return secretsIn({ url: value, headers: {}, body: undefined });
}

const HIDDEN = '[redacted]';

/** Hides `--api-key X`, `--token=X` and values that look like keys. */
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

/** Returns the secret end of an argument, if it has one. */
function secretArgument(argument: string, previous: string): string | undefined {
  if (looksSecret(argument)) return argument;
  if (previous.startsWith('-') && !previous.includes('=') && isTellingSetting(previous)) return argument;
  const at = argument.indexOf('=');
  return at >= 0 && isTellingSetting(argument.slice(0, at)) ? argument.slice(at + 1) : undefined;
}

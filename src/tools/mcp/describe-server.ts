import { redactSecrets, redactUrl, secretsOf as secretsIn } from '../../observe/redact.js';
import { isClientConfig, isStdioConfig, type McpServerConfig } from './server-config.js';

const SECRET_NAME = /key|token|secret|pass|auth|credential/i;
const LOOKS_SECRET = /^(sk|pk|gh[pousr]|github_pat|xox[a-z]|glpat|eyJ)[-_A-Za-z0-9]{8,}/;

/** What was tried, for messages: the command line or the URL, without what opens doors. */
export function describeServer(config: McpServerConfig): string {
  if (isClientConfig(config)) return 'a client that was handed in';
  return isStdioConfig(config)
    ? `command "${[config.command, ...hideArguments(config.args ?? [])].join(' ')}"`
    : `URL ${redactUrl(String(config.url))}`;
}

/** A message of a server or transport, without anything its settings hold in confidence or that was sent in confidence. */
export function withoutServerSecrets(text: string, config: McpServerConfig, sent: readonly string[] = []): string {
  return redactSecrets(text, [...secretsOf(config), ...sent]);
}

function secretsOf(config: McpServerConfig): readonly string[] {
  if (isClientConfig(config)) return [];
  if (isStdioConfig(config)) {
    return Object.entries(config.env ?? {}).flatMap(([name, value]) => (SECRET_NAME.test(name) ? [value] : []));
  }
  const url = new URL(config.url);
  const headers = typeof config.headers === 'object' ? config.headers : {};
  // Harmless ones (`accept: json`) would black out the words they share with messages.
  const keys = Object.values(headers).filter((value) => LOOKS_SECRET.test(value));
  return [...secretsIn({ url: url.href, headers, body: undefined }), ...keys, url.password];
}

/** `--api-key X`, `--token=X` and values that look like keys by themselves. */
function hideArguments(args: readonly string[]): readonly string[] {
  return args.map((argument, index) => {
    const previous = args[index - 1] ?? '';
    if (LOOKS_SECRET.test(argument)) return '[redacted]';
    if (previous.startsWith('-') && !previous.includes('=') && SECRET_NAME.test(previous)) return '[redacted]';
    const [name, value] = splitOnce(argument, '=');
    if (value !== undefined && SECRET_NAME.test(name)) return `${name}=[redacted]`;
    return argument.includes('://') ? redactUrl(argument) : argument;
  });
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

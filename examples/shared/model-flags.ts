import { SettingsError } from './settings-error.js';
import { trimLetters } from './trim-end.js';

/** Who answers with `--offline`, or without any server. */
export const DEMO_LABEL = 'Demo model (no server connected)';

/** Flags that say which model answers, spelled and described alike in every application. */
const MODEL_FLAGS = [
  ['--base-url <url>', 'the base URL of the model server (OPENAI_BASE_URL)'],
  ['-m, --model <id>', 'the model (MODEL; default: gpt-5.1 at OpenAI, elsewhere the first one that the server lists)'],
  ['--api-key-env <name>', 'the environment variable with the key (default: OPENAI_API_KEY)'],
  ['--api-key <key>', 'the key itself; other users of this machine can see it'],
  ['--offline', 'use the demo model, which needs no server'],
  ['--stock', 'answer through @ai-sdk/openai (RESPONSES_LOOP=off)'],
  ['--record <dir>', 'save every exchange with the model'],
  ['--replay <dir>', 'answer from saved exchanges, without a server'],
  ['--mcp-config <file>', 'MCP servers: {"mcpServers": {…}}'],
] as const;

/** A command of commander; its package belongs to the applications. */
interface TakesOptions {
  option(flags: string, description: string): this;
}

export function withModelFlags<Command extends TakesOptions>(command: Command): Command {
  for (const [flags, description] of MODEL_FLAGS) command.option(flags, description);
  return command;
}

export interface KeyFlags {
  readonly apiKey?: string | undefined;
  /** Name of the environment variable that holds the key. */
  readonly apiKeyEnv?: string | undefined;
}

/** @throws SettingsError if the named variable is empty, or if both flags are given. */
export function keyOfFlags(
  { apiKey, apiKeyEnv }: KeyFlags,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (apiKeyEnv === undefined) return apiKey;
  if (apiKey !== undefined) throw new SettingsError('--api-key and --api-key-env exclude each other.');
  const key = env[apiKeyEnv]?.trim();
  if (key === undefined || key === '')
    throw new SettingsError(`--api-key-env: the environment has no ${JSON.stringify(apiKeyEnv)}.`);
  return key;
}

const FLAG_NAMES: Readonly<Record<string, string>> = {
  baseURL: '--base-url',
  apiKey: '--api-key-env',
};

/** Returns a message of the package with flags in place of its settings, which a user of a command cannot set. */
export function inFlags(message: string): string {
  return message.replace(/\b(?:baseURL|apiKey)\b/g, (name) => FLAG_NAMES[name] ?? name);
}

/** Joins a reason and what happens next, with one mark between them. */
export function reasonThen(reason: string, next: string): string {
  return `${trimLetters(inFlags(reason), '. ')}; ${next}`;
}

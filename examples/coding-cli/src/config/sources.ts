import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { z } from 'zod';
import { readWithin } from './read-within.js';
import { CONFIG_FILE, type SettingName, SETTING_ROWS, SETTINGS } from './schema.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A value and where it comes from, in words. */
export interface Found {
  readonly value: unknown;
  readonly source: string;
  /** Relative paths start here. */
  readonly base: string;
  readonly isWorkspace?: true;
}

/** One place where settings may stand. */
export type Source = (name: SettingName) => Found | undefined;

/** How the command line is called as a source. */
export const FLAG = 'flag';

/** What may stand in the config file of a workspace is read to here. */
const MAX_WORKSPACE_CONFIG = 65_536;

export function flagSource(flags: Readonly<Partial<Record<SettingName, unknown>>>, base: string): Source {
  return (name) => found(flags[name], FLAG, base);
}

/** The environment, or a file that is written like it. */
export function environmentSource(env: Environment, source: string, base: string): Source {
  return (name) => {
    const variable = SETTINGS[name].env.find((candidate) => present(env[candidate]));
    if (variable === undefined) return undefined;
    return found(valueOf(name, env[variable] ?? '', `${source} ${variable}`), `${source} ${variable}`, base);
  };
}

/** A `.env` file; `undefined`, if there is none and none was named. */
export function readEnvFile(path: string, isNamed: boolean): Environment | undefined {
  const text = readText(path);
  if (text !== undefined) return parseEnv(text);
  if (!isNamed) return undefined;
  throw new SettingsError(`--env-file: there is no file ${path}.`);
}

/** The config file of this user. */
export function configSource(configDir: string): Source {
  const path = join(configDir, 'config.json');
  const text = readText(path);
  return text === undefined ? () => undefined : fileSource(path, text);
}

/** The config file of a workspace, which is not trusted; `warn` hears what is not taken from it. */
export function workspaceSource(workspace: string, warn: (message: string) => void): Source {
  const path = join(workspace, '.coder', 'config.json');
  const text = readWithin(path, workspace, MAX_WORKSPACE_CONFIG)?.toString();
  if (text === undefined) return () => undefined;
  const read = fileSource(path, text);
  for (const [name, row] of SETTING_ROWS) {
    if (row.workspace !== undefined || read(name) === undefined) continue;
    warn(`${path}: "${name}" is not taken from a workspace; set it in your own config.json.`);
  }
  return (name) => {
    const value = 'workspace' in SETTINGS[name] ? read(name) : undefined;
    return value && { ...value, isWorkspace: true };
  };
}

function fileSource(path: string, text: string): Source {
  const values = parseConfig(path, text);
  return (name) => found(values[name], path, dirname(path));
}

function parseConfig(path: string, text: string): Partial<Record<SettingName, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new SettingsError(`${path} is not JSON: ${(error as Error).message}`);
  }
  const { data, error } = CONFIG_FILE.safeParse(value);
  if (data !== undefined) return data;
  throw new SettingsError(`${path}: ${error.issues.map(problemOf).join('; ')}.`);
}

function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return `"${issue.path.join('.')}": ${issue.message}`;
  const names = issue.keys.map((key) => `"${key}"`).join(', ');
  return `unknown setting ${names}; known settings: ${Object.keys(SETTINGS).join(', ')}`;
}

/** A variable holds text: numbers and yes or no are read out of it. */
function valueOf(name: SettingName, text: string, source: string): unknown {
  const { schema } = SETTINGS[name];
  for (const value of [WORDS[text.trim().toLowerCase()], /^\d+$/.test(text.trim()) ? Number(text) : undefined, text]) {
    if (value === undefined) continue;
    const { success, data } = schema.safeParse(value);
    if (success) return data;
  }
  const problem = schema.safeParse(text).error?.issues[0]?.message ?? 'cannot be read';
  throw new SettingsError(`${source}: "${text}" is no ${name}: ${problem}.`);
}

const WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  yes: true,
  '1': true,
  false: false,
  off: false,
  no: false,
  '0': false,
};

function found(value: unknown, source: string, base: string): Found | undefined {
  return value === undefined ? undefined : { value, source, base };
}

/** A variable that is set to nothing is not set. */
function present(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new SettingsError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

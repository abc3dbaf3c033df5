import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { configDirOf, dataDirOf } from './folders.js';
import { type SettingName, SETTING_ROWS, type Settings, SETTINGS, type SettingValue } from './schema.js';
import {
  configSource,
  environmentSource,
  flagSource,
  type Found,
  readEnvFile,
  type Source,
  workspaceSource,
} from './sources.js';
import { isStricter } from './stricter.js';

export interface LoadOptions {
  readonly flags: Readonly<Partial<Record<SettingName, unknown>>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths of flags start. */
  readonly cwd: string;
  readonly workspace: string;
  readonly envFile?: string | undefined;
  readonly log?: string | undefined;
  /** Nobody can be asked; then the default is to ask nobody. */
  readonly isHeadless?: boolean | undefined;
}

export interface Loaded {
  readonly settings: Settings;
  /** Every setting, and where it comes from. */
  readonly found: Readonly<Record<SettingName, Found>>;
  readonly warnings: readonly string[];
}

/**
 * All settings, each from the first source that has it.
 *
 * @throws SettingsError that names the source and the setting.
 */
export function loadSettings(options: LoadOptions): Loaded {
  const { env, cwd, isHeadless = false } = options;
  const workspace = folderOf(options.workspace, '--cd');
  const [configDir, dataDir] = [configDirOf(env), dataDirOf(env)];
  const warnings: string[] = [];
  const sources = sourcesOf(options, workspace, configDir, (message) => warnings.push(message));
  const choose = ([name]: (typeof SETTING_ROWS)[number]): [SettingName, Found] => {
    const standard = defaultOf(name, isHeadless);
    const first = sources.map((source) => source(name)).find((value) => value !== undefined);
    return [name, first === undefined ? standard : takeable(name, first, standard)];
  };
  const takeable = (name: SettingName, first: Found, standard: Found): Found => {
    const row = SETTINGS[name];
    if (first.isWorkspace !== true || !('workspace' in row) || row.workspace === 'taken') return first;
    if (isStricter(name, first.value, standard.value, isHeadless)) return first;
    if (first.value !== standard.value) {
      warnings.push(
        `${first.source}: "${name}" of a workspace is only taken if it is stricter than ${String(standard.value)}.`,
      );
    }
    return standard;
  };
  const found = Object.fromEntries(SETTING_ROWS.map(choose)) as Record<SettingName, Found>;
  const value = <Name extends SettingName>(name: Name) => found[name].value as SettingValue<Name>;
  const settings: Settings = {
    workspace,
    configDir,
    dataDir,
    log: options.log === undefined ? undefined : resolve(cwd, options.log),
    baseUrl: value('baseUrl'),
    apiKey: value('apiKey'),
    model: modelOf(found),
    approval: value('approval'),
    mode: value('mode'),
    sandbox: value('sandbox'),
    isolation: value('isolation'),
    sandboxNetwork: value('sandboxNetwork'),
    maxTurns: value('maxTurns'),
    contextWindow: value('contextWindow'),
    images: value('images'),
    compactAt: value('compactAt'),
    timeoutMs: value('timeoutMs'),
    projectDoc: value('projectDoc'),
    toolsOff: value('toolsOff'),
    ignore: value('ignore'),
    addDirs: value('addDirs').map((folder) => folderOf(resolve(found.addDirs.base, folder), '--add-dir')),
    allow: value('allow'),
    afterEdit: value('afterEdit'),
    webSearch: value('webSearch'),
    mcpConfig: pathOf(value('mcpConfig'), found.mcpConfig.base),
    trustedMcp: value('trustedMcp'),
    stock: value('stock'),
    price: value('price'),
    notify: value('notify'),
  };
  return { settings, found, warnings };
}

/** First wins. */
function sourcesOf(
  { flags, env, cwd, envFile }: LoadOptions,
  workspace: string,
  configDir: string,
  warn: (message: string) => void,
): Source[] {
  const named = envFile === undefined ? undefined : readEnvFile(resolve(cwd, envFile), true);
  const own = readEnvFile(join(configDir, '.env'), false);
  return [
    flagSource(flags, cwd),
    ...(named === undefined ? [] : [environmentSource(named, `--env-file ${envFile}`, cwd)]),
    ...(own === undefined ? [] : [environmentSource(own, join(configDir, '.env'), configDir)]),
    environmentSource(env, 'environment', cwd),
    configSource(configDir),
    workspaceSource(workspace, warn),
  ];
}

function defaultOf(name: SettingName, isHeadless: boolean): Found {
  const row = SETTINGS[name];
  const standard = 'default' in row ? row.default : undefined;
  return { value: name === 'approval' && isHeadless ? 'never' : standard, source: 'default', base: '/' };
}

/** A workspace may say which model, but where nothing says where to find one, that is no reason to fail. */
function modelOf({ model, baseUrl, apiKey }: Readonly<Record<SettingName, Found>>): string | undefined {
  const isReachable = baseUrl.value !== undefined || apiKey.value !== undefined;
  return model.isWorkspace === true && !isReachable ? undefined : (model.value as string | undefined);
}

function pathOf(path: string | undefined, base: string): string | undefined {
  return path === undefined ? undefined : resolve(base, path);
}

/** The real path of a folder that has to be there. */
function folderOf(path: string, flag: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new SettingsError(`${flag}: there is no folder ${path}.`);
  }
  return realpathSync(path);
}

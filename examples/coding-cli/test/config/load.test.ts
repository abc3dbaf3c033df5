import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { loadSettings } from '../../src/config/load.js';
import { cutBytes, readProjectDoc } from '../../src/config/project-doc.js';
import { isStricter } from '../../src/config/stricter.js';
import { newFolder } from '../support/folders.js';

interface Given {
  readonly flags?: Record<string, unknown>;
  readonly envFile?: string;
  readonly dotEnv?: string;
  readonly env?: Record<string, string>;
  readonly config?: unknown;
  readonly workspaceConfig?: unknown;
  readonly isHeadless?: boolean;
}

function load(given: Given) {
  const [workspace, home] = [newFolder(), newFolder()];
  mkdirSync(join(workspace, '.coder'));
  if (given.dotEnv !== undefined) writeFileSync(join(home, '.env'), given.dotEnv);
  if (given.envFile !== undefined) writeFileSync(join(home, 'named.env'), given.envFile);
  if (given.config !== undefined) writeFileSync(join(home, 'config.json'), JSON.stringify(given.config));
  if (given.workspaceConfig !== undefined) {
    writeFileSync(join(workspace, '.coder', 'config.json'), JSON.stringify(given.workspaceConfig));
  }
  const loaded = loadSettings({
    flags: given.flags ?? {},
    env: { CODER_HOME: home, ...given.env },
    cwd: workspace,
    workspace,
    ...(given.envFile === undefined ? {} : { envFile: join(home, 'named.env') }),
    ...(given.isHeadless === undefined ? {} : { isHeadless: given.isHeadless }),
  });
  return { ...loaded, workspace, home };
}

test('the first source that has a setting wins, in the order of the documentation', () => {
  const given = {
    flags: { model: 'flag' },
    envFile: 'CODER_MODEL=named',
    dotEnv: 'CODER_MODEL=own',
    env: { CODER_MODEL: 'environment', OPENAI_BASE_URL: 'http://127.0.0.1:1' },
    config: { model: 'config' },
    workspaceConfig: { model: 'workspace' },
  };
  const seen: unknown[] = [];
  for (const name of ['flags', 'envFile', 'dotEnv', 'env', 'config', 'workspaceConfig'] as const) {
    seen.push(load(given).settings.model);
    if (name === 'env') Object.assign(given, { env: { OPENAI_BASE_URL: 'http://127.0.0.1:1' } });
    else delete (given as Given)[name];
  }
  expect(seen).toEqual(['flag', 'named', 'own', 'environment', 'config', 'workspace']);
  expect(load(given)).toMatchObject({ found: { model: { value: undefined, source: 'default' } } });
});

test('variables are read as what the setting is, hyphens are taken', () => {
  const { settings } = load({
    env: { CODER_APPROVAL: 'unless-trusted', CODER_MAX_TURNS: '7', CODER_PROJECT_DOC: 'off', CODER_CONTEXT_WINDOW: '' },
  });
  expect(settings).toMatchObject({
    approval: 'unless_trusted',
    maxTurns: 7,
    projectDoc: false,
    contextWindow: undefined,
  });
  expect(() => load({ env: { CODER_MAX_TURNS: 'many' } })).toThrow(/environment CODER_MAX_TURNS.*"many"/);
  expect(() => load({ env: { CODER_APPROVAL: 'maybe' } })).toThrow('CODER_APPROVAL');
});

test('unknown names and wrong values in a file are refused with file and name', () => {
  expect(() => load({ config: { modle: 'x' } })).toThrow(
    /config\.json: unknown setting "modle"; known settings: .*model/,
  );
  expect(() => load({ config: { maxTurns: '3' } })).toThrow(/config\.json: "maxTurns"/);
  expect(() => load({ workspaceConfig: { nonsense: 1 } })).toThrow(/\.coder.config\.json: unknown setting "nonsense"/);
  expect(() => load({ config: [] })).toThrow('config.json');
});

test('of a workspace only what cannot hurt is taken; the rest is a warning', () => {
  const { settings, warnings } = load({
    env: { OPENAI_BASE_URL: 'http://127.0.0.1:1' },
    workspaceConfig: {
      model: 'm',
      maxTurns: 3,
      projectDoc: false,
      ignore: ['*.gen'],
      baseUrl: 'http://evil',
      allow: [],
    },
  });
  expect(settings).toMatchObject({
    ...{ model: 'm', maxTurns: 3, projectDoc: false, ignore: ['*.gen'] },
    ...{ baseUrl: 'http://127.0.0.1:1', allow: [] },
  });
  expect(warnings.map((warning) => /"(\w+)"/.exec(warning)?.[1])).toEqual(['baseUrl', 'allow']);
});

test('a workspace may only be stricter', () => {
  const loaded = (workspaceConfig: unknown, more: Given = {}) => {
    const { settings, warnings } = load({ workspaceConfig, ...more });
    return [settings.approval, settings.sandbox, warnings.length];
  };
  expect(loaded({ approval: 'unless_trusted', sandbox: 'read-only' })).toEqual(['unless_trusted', 'read_only', 0]);
  expect(loaded({ approval: 'on_failure', sandbox: 'danger_full_access' })).toEqual([
    'on_request',
    'workspace_write',
    2,
  ]);
  expect(loaded({ approval: 'never' })).toEqual(['on_request', 'workspace_write', 1]);
  expect(loaded({ approval: 'unless_trusted' }, { isHeadless: true })[0]).toBe('unless_trusted');
  expect(load({ workspaceConfig: { mode: 'plan' } }).settings.mode).toBe('plan');
  expect(load({ workspaceConfig: { mode: 'work' }, env: { CODER_MODE: 'plan' } }).settings.mode).toBe('plan');
  // What the user says comes first, whatever the workspace says.
  expect(loaded({ sandbox: 'read_only' }, { config: { sandbox: 'danger_full_access' } })[1]).toBe('danger_full_access');
});

test('nothing is stricter than itself, and no two are stricter than each other', () => {
  const words = {
    approval: ['unless_trusted', 'on_request', 'on_failure', 'never'],
    sandbox: ['read_only', 'workspace_write'],
    mode: ['work', 'plan'],
  };
  for (const [name, values] of Object.entries(words)) {
    for (const one of values) {
      for (const other of values) {
        for (const isHeadless of [true, false]) {
          expect(isStricter(name, one, other, isHeadless) && isStricter(name, other, one, isHeadless)).toBe(false);
        }
      }
    }
  }
});

test('where nobody can be asked nobody is asked by default', () => {
  expect(load({ isHeadless: true }).settings.approval).toBe('never');
  expect(load({ isHeadless: true, config: { approval: 'on_request' } }).settings.approval).toBe('on_request');
});

test('a model that only the workspace names is none where no server is named', () => {
  expect(load({ workspaceConfig: { model: 'm' } }).settings.model).toBeUndefined();
});

test('relative paths start where they are written', () => {
  const { settings, home } = load({ config: { mcpConfig: 'mcp.json' } });
  expect(settings.mcpConfig).toBe(join(home, 'mcp.json'));
  const flag = load({ flags: { mcpConfig: 'mcp.json' } });
  expect(flag.settings.mcpConfig).toBe(join(flag.workspace, 'mcp.json'));
  expect(() => load({ flags: { addDirs: ['nowhere'] } })).toThrow('--add-dir');
});

test('AGENTS.md is read from the root of the repository down to the workspace, and not from outside of it', () => {
  const top = newFolder();
  const repository = join(top, 'repository');
  const workspace = join(repository, 'packages', 'one');
  mkdirSync(join(workspace, '.git'), { recursive: true });
  writeFileSync(join(top, 'AGENTS.md'), 'outside');
  writeFileSync(join(repository, 'AGENTS.md'), 'of the root');
  writeFileSync(join(workspace, 'AGENTS.md'), 'of the package');
  expect(readProjectDoc(workspace)).toBe('of the package');
  mkdirSync(join(repository, '.git'));
  expect(readProjectDoc(join(repository, 'packages'))).toBe('of the root');
  symlinkSync(join(top, 'AGENTS.md'), join(repository, 'packages', 'AGENTS.md'));
  expect(readProjectDoc(join(repository, 'packages'))).toBe('of the root');
  const bare = newFolder();
  writeFileSync(join(bare, 'AGENTS.md'), 'alone');
  expect(readProjectDoc(bare)).toBe('alone');
});

test('the chain is cut at 32 kB, never inside a character', () => {
  const workspace = newFolder();
  writeFileSync(join(workspace, 'AGENTS.md'), 'ä'.repeat(20_000));
  expect(Buffer.byteLength(readProjectDoc(workspace))).toBeLessThanOrEqual(32_768);
  expect(readProjectDoc(workspace)).toMatch(/^ä+$/);
  expect(cutBytes('aä€😀', 9)).toBe('aä€');
  expect(cutBytes('aä€😀', 10)).toBe('aä€😀');
});

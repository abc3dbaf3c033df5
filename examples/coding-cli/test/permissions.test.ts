import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { afterAll, describe, expect, it } from 'vitest';
import { openPermissions } from '../src/approval/permissions-file.js';
import { parseRule, printRule } from '../src/approval/rules.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'permissions-')));
afterAll(() => rmSync(base, { recursive: true }));
const config = join(base, 'config');
const work = join(base, 'work');
mkdirSync(join(work, '.coder'), { recursive: true });
symlinkSync('work', join(base, 'alias'));
const rule = (text: string) => parseRule(text);

describe('a rule', () => {
  it.each([
    'bash: npm test',
    'bash: git commit -m <text> <paths>',
    'bash: touch *',
    'bash: exactly make',
    'bash: exactly (cd x && make)',
    'bash: exactly "a\\nb"',
    'write: in workspace',
    'mcp: files/read',
    'mcp: a/b/c',
  ])('%s reads as it is printed', (text) => expect(printRule(parseRule(text))).toBe(text));

  it('for exactly one command holds it to the letter, and is one line', () => {
    fc.assert(
      fc.property(
        fc
          .string({ minLength: 1, unit: 'grapheme' })
          .map((text) => text.trim())
          .filter((text) => text !== ''),
        (command) => {
          const text = printRule({ kind: 'command', rule: `exactly ${command}` });
          expect({ read: parseRule(text), lines: text.split('\n').length }).toEqual({
            read: { kind: 'command', rule: `exactly ${command}` },
            lines: 1,
          });
        },
      ),
    );
  });

  it.each([
    '',
    'bash',
    'bash: *',
    'bash: npm *',
    'bash: git -c *',
    'bash: sudo *',
    'bash: env *',
    'bash: sh *',
    'bash: xargs *',
    'bash: ./x *',
    'bash: tsc x *',
    'bash: n* *',
    'bash: exactly',
    'bash: exactly "a',
    'write: everywhere',
    'mcp: x',
    'web: ',
    'web: a b',
    'web: me@example.com',
    'web: example.com/x',
    'read: x',
  ])('%j is none', (text) => expect(() => parseRule(text)).toThrow(SettingsError));
});

describe('what was allowed for good', () => {
  it('is kept by the real path of the folder, for this user only, until it is removed', async () => {
    const file = openPermissions(config, join(base, 'alias'));
    expect(file.read().rules).toEqual([]);
    await file.add(rule('bash: npm test'));
    await file.add(rule('write: in workspace'));
    await file.add(rule('bash: npm test'));
    expect(JSON.parse(readFileSync(file.path, 'utf8'))).toEqual({
      version: 1,
      folders: { [work]: ['bash: npm test', 'write: in workspace'] },
    });
    expect([statSync(file.path).mode & 0o777, statSync(config).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(openPermissions(config, config).read().rules).toEqual([]);
    expect([await file.remove(rule('bash: npm test')), await file.remove(rule('bash: npm test'))]).toEqual([
      true,
      false,
    ]);
    expect(openPermissions(config, work).read().rules).toEqual([rule('write: in workspace')]);
  });

  it('is lost by none of several that allow something at once', async () => {
    const folder = join(base, 'many');
    const files = Array.from({ length: 8 }, () => openPermissions(folder, work));
    await Promise.all(files.map((file, at) => file.add(rule(`bash: exactly make ${at}`))));
    expect(openPermissions(folder, work).read().rules).toHaveLength(8);
  });

  it.each([
    ['{"version":1,"folders":[]}', /permissions\.json is not a valid permissions file/],
    ['{"version":2,"folders":{}}', /permissions\.json is not a valid permissions file/],
    ['{"vers', /permissions\.json is not a valid permissions file/],
    [
      JSON.stringify({ version: 1, folders: { [work]: ['bash: a b c'] } }),
      /permissions\.json: "bash: a b c" is not a rule/,
    ],
  ])('is not guessed where the file holds %s', async (content, message) => {
    const folder = mkdtempSync(join(base, 'bad-'));
    writeFileSync(join(folder, 'permissions.json'), content);
    expect(() => openPermissions(folder, work).read()).toThrow(message);
    expect(readFileSync(join(folder, 'permissions.json'), 'utf8')).toBe(content);
  });

  it('does not hold if an older version allowed any option with it, and is named until it is taken out', async () => {
    const folder = mkdtempSync(join(base, 'old-'));
    const kept = [
      'bash: git grep *',
      'bash: touch *',
      'bash: exactly npm *',
      'bash: npm test *',
      'write: in workspace',
    ];
    writeFileSync(join(folder, 'permissions.json'), JSON.stringify({ version: 1, folders: { [work]: kept } }));
    const file = openPermissions(folder, work);
    const { rules, outdated } = file.read();
    expect(rules.map(printRule)).toEqual(['bash: touch *', 'bash: exactly npm *', 'write: in workspace']);
    expect(outdated).toEqual(['bash: git grep *', 'bash: npm test *']);
    await file.forget(outdated);
    expect(file.read()).toEqual({ rules, outdated: [] });
  });

  it('is not read from the workspace', () => {
    writeFileSync(
      join(work, '.coder/permissions.json'),
      JSON.stringify({ version: 1, folders: { [work]: ['bash: exactly make'] } }),
    );
    expect(openPermissions(join(base, 'empty'), work).read().rules).toEqual([]);
  });
});

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileOf, loopEvents } from './support/loop-events.js';
import { buildCli, CLI } from './support/make-page.js';

const folder = mkdtempSync(join(tmpdir(), 'timeline-command-'));
beforeAll(() => {
  buildCli();
  writeFileSync(join(folder, 'events.jsonl'), fileOf(loopEvents({ rounds: 3, toolsPerRound: 2 })));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function timeline(args: readonly string[], input = '') {
  return spawnSync(process.execPath, [CLI, 'timeline', ...args], { cwd: folder, input, encoding: 'utf8' });
}

const page = (name: string): string => readFileSync(join(folder, name), 'utf8');

describe('responses-loop timeline', () => {
  it('writes a page beside the file, for its owner alone, and says where and of what', () => {
    const { status, stdout, stderr } = timeline(['events.jsonl']);
    expect({ status, stdout: stdout.trim(), stderr: stderr.trim() }).toEqual({
      status: 0,
      stdout: join(folder, 'events.html'),
      stderr: '1 call, 3 rounds, 4 tools; 2,130 tokens in (1,110 cached), 381 out',
    });
    expect(page('events.html')).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
    expect(statSync(join(folder, 'events.html')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('writes it where it is told to, over an older one', () => {
    writeFileSync(join(folder, 'out.html'), 'old');
    expect(timeline(['events.jsonl', '-o', 'out.html']).status).toBe(0);
    expect(page('out.html')).toBe(page('events.html'));
  });

  it('reads standard input and writes standard output', () => {
    const { status, stdout, stderr } = timeline(['-'], page('events.jsonl'));
    expect(status).toBe(0);
    expect(stdout).toContain('<!doctype html>');
    expect(stderr).toContain('3 rounds');
  });

  it('says how many lines it did not understand', () => {
    const { stderr } = timeline(['-', '-o', 'odd.html'], `${page('events.jsonl')}what is this\n{"torn":`);
    expect(stderr).toContain('; not understood: 2 lines');
  });

  it.each([
    { args: [], says: /Which file\?.*\n.*--help/, code: 2 },
    { args: ['a', 'b'], says: /Only one file/, code: 2 },
    { args: ['events.jsonl', '-o', 'events.jsonl'], says: /would overwrite its events/, code: 2 },
    { args: ['events.jsonl', '--colour'], says: /--colour/, code: 2 },
    { args: ['missing.jsonl'], says: /ENOENT.*missing\.jsonl/, code: 1 },
    { args: ['events.jsonl', '-o', 'no/such/folder.html'], says: /ENOENT.*folder\.html/, code: 1 },
    { args: ['-'], says: /Standard input contains no events/, code: 1 },
  ])('says what is wrong with $args', ({ args, says, code }) => {
    const { status, stdout, stderr } = timeline(args);
    expect(stderr).toMatch(says);
    expect(status).toBe(code);
    expect(stdout).toBe('');
    expect(existsSync(join(folder, 'missing.html'))).toBe(false);
  });

  it('does not overwrite its events under another name of theirs', () => {
    symlinkSync(folder, join(folder, 'link'));
    const { status, stderr } = timeline(['events.jsonl', '-o', 'link/events.jsonl']);
    expect(stderr).toContain('would overwrite its events');
    expect(status).toBe(2);
    expect(page('events.jsonl')).toContain('responses-loop events');
  });

  it('writes to a device without putting a file in its place', () => {
    const line = `'${process.execPath}' '${CLI}' timeline events.jsonl -o /dev/stdout | cat`;
    const { status, stdout } = spawnSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stdout).toContain('</html>');
  });

  it('has help', () => {
    expect(timeline(['--help']).stdout).toContain('Usage: npx responses-loop timeline FILE [-o PAGE]');
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const LANES = fileURLToPath(new URL('../../.ci/lanes.mjs', import.meta.url));

/** Runs steps whose commands are shell scripts. */
function run(options: string): { code: number | null; lines: readonly string[] } {
  const program = `
    import { finish, runLanes, step } from ${JSON.stringify(LANES)};
    const sh = (title, script) => step(title, 'sh', '-c', script);
    await runLanes(${options});
    finish();`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return { code: status, lines: stdout.split('\n').filter((line) => line !== '') };
}

it('steps of two lanes run at once, and each prints its output in one piece', () => {
  const talk = 'for i in 1 2 3; do echo LANE $i; sleep 0.05; done; echo LANE end >&2';
  const { code, lines } = run(
    `{ lanes: ['a', 'b'].map((name) => [sh(name, ${JSON.stringify(talk)}.replaceAll('LANE', name))]) }`,
  );
  expect(code).toBe(0);
  expect(lines.slice(0, 2)).toEqual(['.. a', '.. b']);
  for (const name of ['a', 'b']) {
    const at = lines.indexOf(`== ${name}`);
    expect(lines.slice(at + 1, at + 5)).toEqual([1, 2, 3, 'end'].map((word) => `${name} ${word}`));
    expect(lines[at + 5]).toMatch(new RegExp(`^-- ${name}: \\d+ s$`));
  }
  expect(lines.at(-1)).toMatch(/^All steps passed in \d+ s[.]$/);
});

it('a step that fails is named at once; no other begins, and what the other lane runs is not lost', () => {
  const { code, lines } = run(`{
    lanes: [[sh('bad', 'echo why; exit 3'), sh('never', 'true')], [sh('slow', 'sleep 0.5; echo whole')]],
    rest: [sh('nor this', 'true')],
  }`);
  expect(code).toBe(1);
  const failed = lines.indexOf('!! FAILED: bad (3)');
  expect(lines.slice(failed, failed + 3)).toEqual(['!! FAILED: bad (3)', '== bad', 'why']);
  expect(failed).toBeLessThan(lines.indexOf('== slow'));
  expect(lines).toContain('whole');
  expect(lines.join('\n')).not.toMatch(/never|nor this/);
  expect(lines.at(-1)).toMatch(/^FAILED after \d+ s: bad$/);
});

it('a program that is not there is a step that fails', () => {
  const { code, lines } = run(`{ lanes: [[step('lost', 'no-such-program-here')]] }`);
  expect(code).toBe(1);
  expect(lines.some((line) => line.startsWith('!! FAILED: lost (spawn no-such-program-here ENOENT'))).toBe(true);
});

it('with goesOn the steps behind a failure are run, too, and the end names all that failed', () => {
  const { code, lines } = run(
    `{ lanes: [[sh('one', 'exit 1'), sh('two', 'exit 2'), sh('three', 'true')]], goesOn: true }`,
  );
  expect(code).toBe(1);
  expect(lines.some((line) => line.startsWith('-- three: '))).toBe(true);
  expect(lines.at(-1)).toMatch(/: one; two$/);
});

describe('tests that failed', () => {
  /** A step of tests: its report names `files` as failed; a run of some files only ends with `secondCode`. */
  function runTests(files: readonly string[], secondCode: number) {
    const folder = mkdtempSync(join(tmpdir(), 'lanes-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const report = join(folder, 'report.json');
    const testResults = files.map((name) => ({ name: resolve(name), status: 'failed' }));
    const first = JSON.stringify({ numPassedTests: 7, numFailedTests: files.length, testResults });
    const script = `if [ $# = 0 ]; then echo '${first}' > ${report}; exit 1; fi; echo again "$@"; exit ${secondCode}`;
    const step = {
      title: 'slow',
      command: ['sh', '-c', script, 'sh'],
      counted: { name: 'slow', report },
    };
    return run(`{ lanes: [[${JSON.stringify(step)}]] }`);
  }

  it('are run once more by file, and the log names them if they pass', () => {
    const { code, lines } = runTests(['test/a.test.ts', 'test/b.test.ts'], 0);
    expect(code).toBe(0);
    expect(lines).toContain('again test/a.test.ts test/b.test.ts');
    expect(lines).toContain('!! PASSED AT THE SECOND TRY: test/a.test.ts, test/b.test.ts');
    expect(lines).toContain('slow: 7 passed, 2 failed');
  });

  it('fail if they fail twice', () => {
    const { code, lines } = runTests(['test/a.test.ts'], 1);
    expect(code).toBe(1);
    expect(lines).toContain('again test/a.test.ts');
    expect(lines.at(-1)).toMatch(/^FAILED after \d+ s: slow$/);
  });

  it.each([
    ['too many files failed', ['a', 'b', 'c', 'd']],
    ['no test failed, but the run did', []],
  ])('have none if %s', (_, files) => {
    const { code, lines } = runTests(files, 0);
    expect(code).toBe(1);
    expect(lines.join('\n')).not.toContain('again');
  });
});

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

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

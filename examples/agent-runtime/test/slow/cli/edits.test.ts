import { describe, expect, test } from 'vitest';
import { jsonLines, newFolder, runAgent } from '../../support/run-agent.js';

/** A folder with a session in which this was said. */
async function talked(...texts: string[]) {
  const cwd = newFolder();
  const run = (...args: string[]) => runAgent(args, { cwd });
  for (const [index, text] of texts.entries()) await run('send', text, '--offline', ...(index > 0 ? ['--last'] : []));
  const { items } = jsonLines((await run('sessions', '--json')).stdout)[0];
  return { run, id: String(items[0]?.id) };
}

describe('agent pop, fork, compact and show --latest', () => {
  test('change what the model reads, and leave what is stored', async () => {
    const { run, id } = await talked('one', 'two', 'three');
    const popped = await run('pop', id, '--json');
    expect(jsonLines(popped.stdout)[0].items[0]).toMatchObject({ turn: 3, content: 'three' });
    const latest = jsonLines((await run('show', id, '--json', '--latest', '2')).stdout)[0].messages;
    expect(latest.map(({ turn }: { turn: number }) => turn)).toEqual([2, 2]);
    expect(jsonLines((await run('show', id, '--json')).stdout)[0].messages).toHaveLength(7);
    const forked = await run('fork', id.slice(0, 6), '--turn', '1', '--title', 'Again', '--json');
    expect(jsonLines(forked.stdout)[0]).toMatchObject({ summary: 'Again', messageCount: 2 });
    expect((await run('send', 'what did I say before?', '--offline', '--last')).stdout).not.toContain('two');
    expect((await run('compact', id, '--offline')).stderr).toContain('nothing to compact');
  });

  test('say what is wrong', async () => {
    const { run, id } = await talked('one');
    expect(await run('fork', id, '--turn', '5')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/no turn 5. It has 1./),
    });
    expect((await run('pop', id)).code).toBe(0);
    expect(await run('pop', id)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/no turn to undo/),
    });
    expect((await run('pop', 'none')).code).toBe(3);
  });
});

describe('agent prune', () => {
  test('deletes what is old and above a number; --dry-run only prints it', async () => {
    const { run, id } = await talked('one');
    expect(await run('prune', '--older-than', '30d')).toMatchObject({ code: 0, stdout: '' });
    expect(await run('prune', '--keep', '0', '--dry-run')).toMatchObject({
      stdout: `${id}\n`,
      stderr: expect.stringContaining('would be'),
    });
    expect(jsonLines((await run('prune', '--keep', '0', '--json')).stdout)[0]).toEqual({ deleted: [id], busy: [] });
    expect(jsonLines((await run('sessions', '--json')).stdout)[0].total).toBe(0);
  });

  test.each([
    [[], /olderThanMs/],
    [['--older-than', '3 moons'], /such as 30d/],
    [['--keep', '1.5'], /whole number/],
    [['--keep', '-1'], /cannot begin with a dash/],
  ])('with %j says what is wrong, and deletes nothing', async (args, words) => {
    const { run } = await talked();
    expect(await run('prune', ...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(words) });
  });
});

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox } from 'responses-loop-example-shared/sandbox.js';
import { expect, test } from 'vitest';
import { call, startEngine } from '../../support/engine-rig.js';
import { newFolder } from '../../support/folders.js';
import { runCoder, startWorld } from '../../support/run-coder.js';

const { isOn, label } = createSandbox('auto', {
  roots: [process.cwd()],
  hidden: [],
  hasNetwork: false,
  path: '/usr/bin',
});
if (!isOn) console.log(`SKIPPED: commands of coder in a sandbox of the system: ${label}`);

const outputs = (texts: readonly unknown[]): string => JSON.stringify(texts);

test.runIf(isOn)(
  'commands run isolated, and what one names outside is opened only by a yes to a question that says so',
  async () => {
    const [outside, home] = [newFolder(), newFolder()];
    writeFileSync(join(home, 'secret'), 'SECRET');
    writeFileSync(join(outside, 'file'), 'from outside');
    const command = `cat ${outside}/file > copy; echo new > ${outside}/new`;
    const rig = await startEngine(
      [
        { output: [call('bash', { command: `touch inside; cat ${home}/secret; echo x > /usr/x` }, 'c1')] },
        { output: [call('bash', { command }, 'c2')] },
        'Done.',
      ],
      { home, flags: { isolation: 'required', approval: 'on_request' } },
    );
    expect(rig.engine.session.isolation).toMatch(/^bubblewrap: only the workspace can be written/);
    rig.submit({ type: 'user_input', text: 'Go' });
    const first = await rig.seen('exec_approval_request', ({ call_id: id }) => id === 'c1');
    expect(first.reason).not.toContain('in its sandbox');
    rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved' });
    const second = await rig.seen('exec_approval_request', ({ call_id: id }) => id === 'c2');
    expect(second.reason).toMatch(new RegExp(`; it gets ${outside}(/file)?.* in its sandbox$`));
    rig.submit({ type: 'exec_approval', call_id: 'c2', decision: 'approved' });
    await rig.seen('task_complete');
    expect(outputs(rig.requests)).not.toContain('SECRET');
    expect(existsSync('/usr/x')).toBe(false);
    expect(readFileSync(join(rig.workspace, 'copy'), 'utf8')).toBe('from outside');
    expect(existsSync(join(outside, 'new'))).toBe(true);
    await rig.close();
  },
);

test.runIf(isOn)(
  'what runs unasked reaches nothing outside, and nothing at all can be written in a read-only session',
  async () => {
    const outside = newFolder();
    mkdirSync(join(outside, 'sub'));
    const rig = await startEngine(
      [{ output: [call('bash', { command: `echo x > ${outside}/x; echo y > y` }, 'c1')] }, 'Done.'],
      {
        flags: { isolation: 'required', approval: 'on_failure' },
      },
    );
    await rig.say('Go');
    expect(existsSync(join(outside, 'x'))).toBe(false);
    expect(existsSync(join(rig.workspace, 'y'))).toBe(true);
    await rig.close();
    const readOnly = await startEngine([{ output: [call('bash', { command: 'echo y > y' }, 'c1')] }, 'Done.'], {
      flags: { isolation: 'required', approval: 'on_request', sandbox: 'read_only' },
    });
    readOnly.submit({ type: 'user_input', text: 'Go' });
    await readOnly.seen('exec_approval_request');
    readOnly.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved' });
    await readOnly.seen('task_complete');
    expect(existsSync(join(readOnly.workspace, 'y'))).toBe(false);
    expect(outputs(readOnly.requests)).toContain('Read-only file system');
    await readOnly.close();
  },
);

test('a sandbox that is required and cannot be had ends the program with 2, one that is wished for is said to be off', async () => {
  const { at, all } = await startWorld(['Hello.', 'Hello.']);
  const refused = await runCoder([...all, '--sandbox', 'required', 'exec', 'Hi'], at);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('--sandbox required: danger_full_access lets commands do everything');
  const off = await runCoder([...all, '--sandbox', 'auto', '-q', 'exec', 'Hi'], at);
  expect(off.code).toBe(0);
  expect(off.stderr.match(/sandbox off: danger_full_access/g)).toHaveLength(1);
  const config = await runCoder([...all, '--sandbox', 'auto', '--sandbox-network', 'config', '--json'], {
    ...at,
    env: { CODER_ISOLATION: 'off' },
  });
  expect(JSON.parse(config.stdout)).toMatchObject({
    sandbox: { value: 'danger_full_access' },
    isolation: { value: 'auto', source: 'flag' },
    sandboxNetwork: { value: true },
  });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { CodingTool } from '../../../src/tools/context.js';
import { call, startEngine } from '../../support/engine-rig.js';
import { newFolder } from '../../support/folders.js';

const offered = (request: { readonly body: Readonly<Record<string, unknown>> } | undefined) =>
  ((request?.body['tools'] ?? []) as { name: string }[]).map(({ name }) => name);

function toolNamed(name: string, readOnly: boolean, runs: string[] = []): CodingTool {
  return {
    name,
    description: 'A tool of this program.',
    inputSchema: z.object({ word: z.string() }),
    readOnly,
    title: ({ word }) => `Say ${word}`,
    execute: async ({ word }) => {
      runs.push(String(word));
      return `said ${word}`;
    },
  };
}

test('a tool that the program brings is offered, and runs unasked if it only reads', async () => {
  const runs: string[] = [];
  const rig = await startEngine([{ output: [call('tell', { word: 'hi' }, 't1')] }, 'Done.'], {
    tools: [toolNamed('tell', true, runs)],
  });
  await rig.say('Tell them');
  expect(offered(rig.requests[0])).toContain('tell');
  expect(runs).toEqual(['hi']);
  expect(JSON.stringify(rig.requests[1]?.input)).toContain('said hi');
});

test('one that changes something is asked about, whatever its name is like', async () => {
  const runs: string[] = [];
  const rig = await startEngine([{ output: [call('tell', { word: 'hi' }, 't1')] }, 'Done.'], {
    tools: [toolNamed('tell', false, runs)],
  });
  const said = rig.say('Tell them');
  const { call_id } = await rig.seen('exec_approval_request');
  rig.submit({ type: 'exec_approval', call_id, decision: 'denied' });
  await said;
  expect(runs).toEqual([]);
});

test('no program takes the name of a tool that is there', async () => {
  await expect(startEngine([], { tools: [toolNamed('bash', true)] })).rejects.toThrow('two tools called "bash"');
});

test('a tool that is off is offered to nobody, and does not run', async () => {
  const asksOther = { output: [call('explore', { task: 'Look.' }, 'e1')] };
  const rig = await startEngine([{ output: [call('bash', { command: 'ls' }, 'b1')] }, asksOther, 'Seen.', 'Done.'], {
    flags: { toolsOff: ['bash', 'exec_command', 'write_stdin'] },
  });
  await rig.say('Look');
  const [first, second, ofOther] = rig.requests;
  expect(offered(first)).not.toContain('bash');
  expect(offered(first)).toContain('read');
  expect(offered(ofOther)).not.toContain('bash');
  const [output] = (second?.input ?? []).filter(({ type }) => type === 'function_call_output');
  expect(output?.['output']).toMatch(/bash/);
  expect(output?.['output']).not.toContain('exit code');
});

test('the config file of a workspace may switch tools off', async () => {
  const workspace = newFolder();
  mkdirSync(join(workspace, '.coder'));
  writeFileSync(join(workspace, '.coder', 'config.json'), JSON.stringify({ toolsOff: ['web_fetch'] }));
  const rig = await startEngine(['Hi.'], { workspace });
  await rig.say('Hello');
  expect(offered(rig.requests[0])).not.toContain('web_fetch');
});

test('a name that no tool has is an error that lists them', async () => {
  await expect(startEngine([], { flags: { toolsOff: ['bsah'] } })).rejects.toThrow(
    /"toolsOff" names "bsah", which is not a tool\. Known tools: bash, exec_command, /,
  );
});

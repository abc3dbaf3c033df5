import { afterAll, describe, expect, it } from 'vitest';
import { classifyCommand } from '../command-policy.js';
import { COMMANDS } from './helpers/command-table.js';
import { makeCommandWorkspace } from './helpers/command-workspace.js';

const workspace = makeCommandWorkspace();
afterAll(() => workspace.remove());

const named = (command: string): string =>
  command.replaceAll('WORK', workspace.cwd).replaceAll('HOME_DIR', workspace.home);

describe.each(Object.entries(COMMANDS))('commands that are %s', (expected, commands) => {
  it.each(commands)('%j', (command) => {
    const { class: found, reason } = classifyCommand(named(command), workspace);
    expect({ class: found, reason }).toEqual({ class: expected, reason: expect.stringMatching(/\w/) });
  });
});

it('knows at least 220 forms', () => {
  expect(new Set(Object.values(COMMANDS).flat()).size).toBeGreaterThan(220);
});

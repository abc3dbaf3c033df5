import { describe, expect, it } from 'vitest';
import { createPathGuard } from '../path-guard.js';
import { classifyTyped } from '../typed-text.js';

const context = { cwd: '/work', guard: createPathGuard({ roots: ['/work'] }), home: '/home/me' };
const terminal = { id: 1, command: 'bash -i', line: '' };

describe('a text for a running program', () => {
  it('is nothing to ask about if it is empty, or Ctrl-C alone', () => {
    expect(classifyTyped('', terminal, context).class).toBe('safe');
    expect(classifyTyped('\u0003', terminal, context).class).toBe('safe');
    expect(classifyTyped('\u0003y', terminal, context).class).toBe('ask');
    expect(classifyTyped('\u0004', terminal, context).class).toBe('ask');
  });

  it('is asked about even if it would be safe as a command, and names the program', () => {
    expect(classifyTyped('ls\n', terminal, context)).toEqual({
      class: 'ask',
      reason: 'it types into terminal 1, where "bash -i" runs',
    });
  });

  it('is judged as a command: what is dangerous is called so, and what is forbidden stays forbidden', () => {
    expect(classifyTyped('sudo ls\n', terminal, context).class).toBe('danger');
    expect(classifyTyped('rm -rf /\r', terminal, context).class).toBe('forbidden');
    expect(classifyTyped('ls\nrm -rf ~\n', terminal, context).class).toBe('forbidden');
  });

  it('is judged with what stands on its line already', () => {
    expect(classifyTyped('/\n', { ...terminal, line: 'rm -rf ' }, context)).toMatchObject({
      class: 'forbidden',
      reason: expect.stringContaining('"rm -rf " was typed on that line before'),
    });
  });
});

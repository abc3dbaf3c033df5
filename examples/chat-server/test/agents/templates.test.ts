import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadTemplates } from '../../src/agents/load-templates.js';

type Files = Record<string, { readonly agent?: unknown; readonly prompt?: string }>;

function templates(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, { agent = GOOD, prompt = 'Work.' }] of Object.entries<Files[string]>({ master: {}, ...files })) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'agent.json'), typeof agent === 'string' ? agent : JSON.stringify(agent));
    writeFileSync(join(folder, name, 'prompt.md'), prompt);
  }
  return folder;
}

const GOOD = { title: 'Worker', groups: ['basic'] };

describe('a template', () => {
  it('has the tools of its groups and its own, each once', () => {
    const loaded = loadTemplates(templates({ a: { agent: { ...GOOD, tools: ['writeFile', 'note'] } } }));
    expect(loaded.get('a')?.tools).toEqual(['timeNow', 'note', 'writeFile']);
  });

  it('may have 8,000 characters', () => {
    expect(() => loadTemplates(templates({ a: { prompt: 'x'.repeat(8000) } }))).not.toThrow();
  });

  it.each<[string, Files, string]>([
    ['one of 8,001', { long: { prompt: 'x'.repeat(8001) } }, 'The template "long" has a prompt of 8001 characters'],
    [
      'one with an unknown tool',
      { a: { agent: { ...GOOD, tools: ['fly'] } } },
      'The template "a" names the tool "fly"',
    ],
    ['one with an unknown group', { a: { agent: { title: 'A', groups: ['air'] } } }, 'names the group "air"'],
    ['one with a group that every object has', { a: { agent: { title: 'A', groups: ['toString'] } } }, '"toString"'],
    ['one without a title', { a: { agent: { groups: ['basic'] } } }, 'has an agent.json that is wrong'],
    [
      'one with a member that is not known',
      { a: { agent: { ...GOOD, toolz: [] } } },
      'has an agent.json that is wrong',
    ],
    ['one whose agent.json is no JSON', { a: { agent: '{' } }, 'has an agent.json that is not JSON'],
  ])('ends the start: %s', (_name, files, message) => {
    expect(() => loadTemplates(templates(files))).toThrow(message);
  });

  it('ends the start where a file of it is missing', () => {
    const folder = templates({ a: {} });
    rmSync(join(folder, 'a', 'prompt.md'));
    expect(() => loadTemplates(folder)).toThrow('The template "a" has no prompt.md that can be read');
  });
});

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listSkills, MAX_SKILL_CHARS, parseSkillCall, readSkill } from '../../src/chat/skill-selector.js';
import { makeWorkspace, type TestWorkspace } from '../support/workspace.js';

const read = (name: string, { root, guard }: TestWorkspace) => readSkill(name, root, guard);

describe('the call of a skill', () => {
  it.each([
    ['/skill/review', { name: 'review', rest: '' }],
    ['/skill/review the last commit', { name: 'review', rest: 'the last commit' }],
    ['/skill/../../etc x', { name: '../../etc', rest: 'x' }],
  ])('stands at the beginning: %s', (text, call) => {
    expect(parseSkillCall(text)).toEqual(call);
  });

  it.each(['/skill/', '/skill', ' /skill/a', 'use /skill/a', '/skills/a'])('is not %j', (text) => {
    expect(parseSkillCall(text)).toBeUndefined();
  });
});

describe('a skill', () => {
  it('is a folder of .skills with a SKILL.md', async () => {
    const at = makeWorkspace({ '.skills/review/SKILL.md': '# Review\n\nLook twice.' });
    expect(await read('review', at)).toBe('# Review\n\nLook twice.');
    expect(await read('missing', at)).toBeUndefined();
  });

  it.each([
    '..',
    '../.chat-server',
    '.',
    'a/b',
    'review/../review',
    '/etc',
    '%2e%2e',
    'review\0',
    '',
    '.hidden',
    'x'.repeat(65),
    '__proto__',
  ])('has no name that leads elsewhere: %j', async (name) => {
    const at = makeWorkspace({ '.skills/review/SKILL.md': 'ok', 'SKILL.md': 'not a skill' });
    writeFileSync(join(at.dataFolder, 'SKILL.md'), 'secret');
    expect(await read(name, at)).toBeUndefined();
  });

  it('is none if a link leads to the data folder or outside', async () => {
    const at = makeWorkspace({ '.skills/keep/SKILL.md': 'ok' });
    writeFileSync(join(at.dataFolder, 'SKILL.md'), 'secret');
    symlinkSync(at.dataFolder, join(at.root, '.skills/data'));
    mkdirSync(join(at.root, '.skills/file'));
    symlinkSync(join(at.dataFolder, 'token'), join(at.root, '.skills/file/SKILL.md'));
    expect(await read('data', at)).toBeUndefined();
    expect(await read('file', at)).toBeUndefined();
    expect((await listSkills(at.root, at.guard)).map(({ name }) => name)).toEqual(['keep']);
  });

  it('that is too long is cut', async () => {
    const at = makeWorkspace({ '.skills/long/SKILL.md': 'x'.repeat(MAX_SKILL_CHARS + 10) });
    expect(await read('long', at)).toHaveLength(MAX_SKILL_CHARS);
  });

  it('is listed by name with what it says of itself', async () => {
    const at = makeWorkspace({
      '.skills/b/SKILL.md': '---\nname: b\ndescription: Does b.\n---\n# B',
      '.skills/a/SKILL.md': '# A\n\nDoes a.\nMore.',
      '.skills/c/README.md': 'no skill',
      '.skills/loose.md': 'no skill',
    });
    const skills = await listSkills(at.root, at.guard);
    expect(skills.map(({ name, description }) => [name, description])).toEqual([
      ['a', 'Does a.'],
      ['b', 'Does b.'],
    ]);
  });

  it('is none where there is no folder of skills', async () => {
    const at = makeWorkspace();
    expect(await listSkills(at.root, at.guard)).toEqual([]);
  });
});

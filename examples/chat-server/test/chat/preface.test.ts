import { describe, expect, it } from 'vitest';
import { buildSystemPrompt, skillText } from '../../src/chat/preface.js';

const PARTS = {
  template: 'You are an assistant.',
  now: new Date('2026-05-04T13:37:00Z'),
  workspace: '/home/duck/pond',
  tools: ['timeNow', 'readFile'],
  skills: [{ name: 'review', description: 'Looks twice.', text: '' }],
  instructions: '  Answer in verse. ',
};

describe('the system prompt', () => {
  it('is template, preface and instructions of the chat, in this order', () => {
    expect(buildSystemPrompt(PARTS)).toBe(
      [
        'You are an assistant.',
        [
          'It is about 2026-05-04T13:00 UTC.',
          'The workspace is /home/duck/pond.',
          'Tools: timeNow, readFile.',
          'Skills, which the person calls by /skill/NAME:',
          '- review: Looks twice.',
        ].join('\n'),
        'Answer in verse.',
      ].join('\n\n'),
    );
  });

  it('leaves out what there is none of', () => {
    const prompt = buildSystemPrompt({ ...PARTS, template: '', tools: [], skills: [], instructions: '' });
    expect(prompt).toBe('It is about 2026-05-04T13:00 UTC.\nThe workspace is /home/duck/pond.\nThere are no tools.');
  });

  it('names a skill in its message', () => {
    expect(skillText('review', 'Look twice.\n')).toBe(
      'The person asks you to follow the skill "review":\n\nLook twice.',
    );
  });
});

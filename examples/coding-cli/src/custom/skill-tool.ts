import { z } from 'zod';
import { type CodingTool, ToolError } from '../tools/context.js';
import type { Texts } from './texts.js';

const INPUT = z.object({ name: z.string().min(1).describe('Name of the skill.') });

/** `undefined` if there are no skills. */
export function skillTool(texts: Texts): CodingTool<typeof INPUT> | undefined {
  const skills = texts.all('skill');
  if (skills.length === 0) return undefined;
  const listed = skills.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
  return {
    name: 'skill',
    description: `Gives the instructions of a skill. Read one before you do what it is for:\n${listed}`,
    inputSchema: INPUT,
    readOnly: true,
    title: ({ name }) => `Skill ${name}`,
    execute: async ({ name }, { callId }) => {
      const skill = texts.of('skill', name, callId);
      texts.forget(callId);
      if (skill === undefined) throw new ToolError(`There is no skill "${name}".`);
      return skill.body;
    },
  };
}

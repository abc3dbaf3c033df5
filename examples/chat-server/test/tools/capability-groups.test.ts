import { webFetch } from 'responses-loop-example-shared/web-fetch.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadTemplates } from '../../src/agents/load-templates.js';
import { CAPABILITY_GROUPS, checkTools, toolsOf } from '../../src/tools/capability-groups.js';
import { createBrowserTools } from '../../src/tools/browser-step.js';
import { ChatTerminals } from '../../src/tools/chat-terminals.js';
import { createToolDefs } from '../../src/tools/defs.js';
import { defineTool, type ToolDef } from '../../src/tools/tool-def.js';
import { makeWorkspace } from '../support/workspace.js';
import { picturesIn } from '../support/pictures.js';

const tool = (id: string): ToolDef =>
  defineTool({ id, description: '', inputSchema: z.object({}), execute: async () => ({ ok: true }) });

describe('the tools at the start', () => {
  it('are all in a group, and the groups name nothing else', () => {
    const files = makeWorkspace();
    const runSubAgent = async () => ({ ok: true as const });
    const pictures = picturesIn(files.dataFolder, 'chat');
    const defs = createToolDefs({
      files,
      shell: { env: {}, closed: [files.dataFolder] },
      terminals: new ChatTerminals(),
      pictures,
      webFetch,
      browser: createBrowserTools({ env: {}, pictures }),
      runSubAgent,
    });
    expect(() => checkTools(defs)).not.toThrow();
    expect(Object.values(defs).every(({ description }) => description.length > 10)).toBe(true);
  });

  it.each([
    ['a tool in no group', { a: tool('a'), b: tool('b') }, { g: ['a'] }, 'The tool "b" is in no capability group.'],
    ['a group without tools', { a: tool('a') }, { g: ['a'], h: [] }, 'The capability group "h" names no tool.'],
    ['a group with an unknown tool', { a: tool('a') }, { g: ['a', 'x'] }, 'The capability group "g" names "x"'],
    ['a group with a name of every object', { a: tool('a') }, { g: ['a', 'toString'] }, 'names "toString"'],
    ['a key that is not the id', { a: tool('b') }, { g: ['a'] }, 'The tool "b" is under the key "a"'],
  ])('end the start: %s', (_name, defs, groups, message) => {
    expect(() => checkTools(defs as Record<string, ToolDef>, groups)).toThrow(message);
  });

  it('of the master are all but those for tests', () => {
    const all = toolsOf(Object.keys(CAPABILITY_GROUPS));
    expect(loadTemplates().get('master')?.tools).toEqual(all.filter((id) => id !== 'testApproval'));
  });

  it('of a group that only objects know are none', () => {
    expect(toolsOf(['constructor', '__proto__', 'nothing'])).toEqual([]);
  });
});

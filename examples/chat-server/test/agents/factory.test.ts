import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Available, createSubAgent } from '../../src/agents/factory.js';
import { loadTemplates } from '../../src/agents/load-templates.js';
import { CAPABILITY_GROUPS, toolsOf } from '../../src/tools/capability-groups.js';

const templates = loadTemplates();
const appTools = toolsOf(Object.keys(CAPABILITY_GROUPS));
const mcpTools = ['read_file', 'write_file', 'echo'];
const master = [...(templates.get('master')?.tools ?? []), ...mcpTools];

function make(agent: string, tools?: string[], parentTools: readonly string[] = master) {
  const available: Available = { templates, parentTools, appTools, mcpTools };
  return createSubAgent({ agent, task: 'Work.', ...(tools === undefined ? {} : { tools }) }, available);
}

describe('a sub-agent', () => {
  it.each([
    ['shell', 'shell'],
    ['terminal', 'shell'],
    [' Terminal ', 'shell'],
    ['document', 'document'],
    ['writer', 'document'],
    ['dynamic', 'dynamic'],
    ['test-approval', 'test-approval'],
    ['default', 'default'],
    ['anything else', 'default'],
    ['master', 'default'],
    ['__proto__', 'default'],
    ['../../etc', 'default'],
  ])('that is asked for as "%s" is a %s', (alias, agentType) => {
    expect(make(alias).agentType).toBe(agentType);
  });

  it('has what its template, the request and its parent have', () => {
    expect(make('shell').appTools).toEqual([
      'timeNow',
      'note',
      'readFile',
      'listDir',
      'writeFile',
      'viewImage',
      'shellCommand',
      'execCommand',
      'writeStdin',
    ]);
    expect(make('shell', ['readFile', 'subAgent', 'echo']).appTools).toEqual(['readFile']);
    expect(make('shell', undefined, ['readFile', 'echo'])).toMatchObject({ appTools: ['readFile'], mcpTools: [] });
  });

  it('gets nothing that its parent lacks, whatever it asks for', () => {
    expect(make('dynamic', ['writeFile', 'shellCommand', 'echo', 'write_file'], ['readFile', 'echo'])).toMatchObject({
      appTools: [],
      mcpTools: ['echo'],
    });
    expect(make('test-approval').appTools).toEqual([]);
    expect(make('test-approval', undefined, ['testApproval']).appTools).toEqual(['testApproval']);
  });

  it('that is made of a list has nothing without one', () => {
    expect(make('dynamic')).toMatchObject({ appTools: [], mcpTools: [] });
    expect(make('dynamic', ['note', 'echo'])).toMatchObject({ appTools: ['note'], mcpTools: ['echo'] });
  });

  it('by default is like its parent', () => {
    const { appTools: own, mcpTools: ownMcp } = make('default');
    expect(new Set([...own, ...ownMcp])).toEqual(new Set(master));
  });

  it('never has a tool that its parent, or the request, has not', () => {
    const names = fc.subarray([...appTools, ...mcpTools, 'constructor', 'nothing']);
    const agents = fc.constantFrom('shell', 'document', 'dynamic', 'default', 'test-approval');
    fc.assert(
      fc.property(agents, fc.option(names, { nil: undefined }), names, (agent, wanted, parentTools) => {
        const plan = make(agent, wanted, parentTools);
        for (const name of [...plan.appTools, ...plan.mcpTools]) {
          expect(parentTools).toContain(name);
          if (wanted !== undefined) expect(wanted).toContain(name);
        }
      }),
    );
  });
});

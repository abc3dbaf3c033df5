import { describe, expect, it } from 'vitest';
import type { OpenTools } from '../../src/tools/loop-tool.js';
import { alsoOpening, withOpened } from '../../src/tools/open-tools.js';
import { createToolRegistry } from '../../src/tools/create-tool-registry.js';
import { adder } from '../acceptance/support/tools.js';
import type { Toolset } from '../../src/tools/loop-tool.js';

const names = ({ tools }: Toolset): string[] => tools.map((tool) => tool.declaration.name);

async function toolsetOf(...keys: string[]): Promise<Toolset> {
  const registry = createToolRegistry({ tools: Object.fromEntries(keys.map((key) => [key, adder().add])) });
  return registry.toolset({ clientNames: [], nameClash: 'rename' });
}

/** Opens the tools that texts of outputs name, in their order. */
const namedIn = ({ tools }: Toolset): OpenTools => {
  return async (calls) =>
    calls.flatMap(({ output }) => {
      const wanted = output.content.flatMap((block) => (block.type === 'text' ? block.text.split(' ') : []));
      return wanted.flatMap((name) => tools.filter((tool) => tool.declaration.name === name));
    });
};

const answer = (text: string): Parameters<OpenTools>[0][number] => ({
  call: { name: 'find' },
  output: { isError: false, content: [{ type: 'text', text }] },
});

describe('tools that calls open', () => {
  it('follow the others in the order in which they were opened, each once', async () => {
    const toolset = alsoOpening(await toolsetOf('find'), namedIn(await toolsetOf('a', 'b', 'c', 'find')));
    const first = await withOpened(toolset, [answer('c a'), answer('a find')]);
    expect(names(first)).toEqual(['find', 'c', 'a']);
    const second = await withOpened(first, [answer('b c')]);
    expect(names(second)).toEqual(['find', 'c', 'a', 'b']);
    expect(second.opened?.map((tool) => tool.declaration.name)).toEqual(['c', 'a', 'b']);
    expect([...second.byWireName.keys()]).toEqual(['find', 'c', 'a', 'b']);
  });

  it('leave the toolset as it is if nothing new was opened', async () => {
    const toolset = alsoOpening(await toolsetOf('find'), namedIn(await toolsetOf('a', 'find')));
    expect(await withOpened(toolset, [answer('find'), answer('nothing')])).toBe(toolset);
    const plain = await toolsetOf('a');
    expect(await withOpened(plain, [answer('a')])).toBe(plain);
  });

  it('come from each way of opening', async () => {
    const one = alsoOpening(await toolsetOf('find'), namedIn(await toolsetOf('a')));
    const both = alsoOpening(one, namedIn(await toolsetOf('b')));
    expect(names(await withOpened(both, [answer('b a')]))).toEqual(['find', 'a', 'b']);
  });
});

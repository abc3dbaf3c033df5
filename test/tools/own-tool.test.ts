import { describe, expect, it } from 'vitest';
import { freeName } from '../../src/tools/names/free-name.js';
import { ownTool } from '../../src/tools/own-tool.js';
import { callTool, textOf } from './support/call.js';

const lookUp = (): ReturnType<typeof ownTool> =>
  ownTool({
    name: 'look_up',
    description: 'Looks something up.',
    inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    execute: ({ word }) => `found ${String(word)}`,
  });

describe('a tool of this package', () => {
  it('runs without asking anybody, also if everything else is asked about', async () => {
    const asked: string[] = [];
    const approve = ({ tool }: { tool: string }): false => {
      asked.push(tool);
      return false;
    };
    expect(textOf(await callTool(await lookUp(), { word: 'it' }, { approve }))).toBe('found it');
    expect(asked).toEqual([]);
  });

  it('has its arguments checked as those of any tool', async () => {
    const output = await callTool(await lookUp(), { word: 3 });
    expect(output.isError).toBe(true);
    expect(textOf(output)).toContain('word');
  });

  it('leaves its name to a tool of the app', () => {
    expect(freeName('look_up', new Set(['other']))).toBe('look_up');
    expect(freeName('look_up', new Set(['look_up']))).toBe('responses_loop__look_up');
  });
});

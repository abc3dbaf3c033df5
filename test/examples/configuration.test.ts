import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { typeErrors } from '../helpers/type-errors.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

async function codeOf(file: string): Promise<{ text: string; blocks: string[] }> {
  const text = await readFile(join(ROOT, 'docs', file), 'utf8');
  return { text, blocks: [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? '') };
}

describe('the documentation', () => {
  it('docs/configuration.md answers every setting', async () => {
    const { text } = await codeOf('configuration.md');
    const source = await readFile(join(ROOT, 'src/settings/settings.ts'), 'utf8');
    const settings = source.split('export interface').find((part) => part.includes('ResponsesProviderSettings {'));
    const names = [...(settings ?? '').matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name ?? '');
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !text.includes(`**\`${name}\`**`))).toEqual([]);
  });

  it.each(['configuration.md', 'mcp.md', 'observability.md', 'testing.md', 'transports.md'])(
    'the code in docs/%s compiles',
    async (file) => {
      const { blocks } = await codeOf(file);
      expect(blocks.length).toBeGreaterThan(0);
      expect(typeErrors(blocks)).toEqual([]);
    },
  );
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Type errors of pieces of code, as if each were a file of the project. */
function typeErrors(blocks: readonly string[]): string[] {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  const files = new Map(blocks.map((block, at) => [join(ROOT, 'examples', `block-${at}.ts`), block]));
  const host = ts.createCompilerHost(options);
  const fileExists = host.fileExists.bind(host);
  const getSourceFile = host.getSourceFile.bind(host);
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.getSourceFile = (path, ...rest) => {
    const block = files.get(path);
    return block === undefined
      ? getSourceFile(path, ...rest)
      : ts.createSourceFile(path, block, ts.ScriptTarget.ESNext, true);
  };
  const program = ts.createProgram([...files.keys()], { ...options, noEmit: true, noUnusedLocals: false }, host);
  return [...files.keys()].flatMap((path) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .map((found) => `${path.slice(ROOT.length)}: ${ts.flattenDiagnosticMessageText(found.messageText, '\n')}`),
  );
}

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

import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = process.cwd();

/** What an editor offers where `|` is. */
function completionsAt(code: string): string[] {
  const file = join(ROOT, 'examples/completion-of-a-test.ts');
  const text = code.replace('|', '');
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const content = path === file ? text : ts.sys.readFile(path);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: (path) => (path === file ? text : ts.sys.readFile(path)),
  });
  const found = service.getCompletionsAtPosition(file, code.indexOf('|'), undefined)?.entries ?? [];
  return found.map(({ name }) => name);
}

it('an editor offers ids of models, and takes every other', { timeout: 120_000 }, () => {
  const provider = `import { createResponsesProvider } from 'responses-loop';\nconst provider = createResponsesProvider();\nprovider('my-own-model');\n`;
  expect(completionsAt(`${provider}provider('|')`)).toEqual(expect.arrayContaining(['gpt-5.1', 'gpt-5.6', 'o3']));
  expect(completionsAt(`${provider}provider.endpoint('|')`)).toContain('gpt-5.1');
});

it('an editor offers the options of a call, and their values', { timeout: 120_000 }, () => {
  const types = `import type { LoopCallOptions, ResponsesCallOptions } from 'responses-loop';\n`;
  expect(completionsAt(`${types}export const options = { | } satisfies ResponsesCallOptions;`)).toEqual(
    expect.arrayContaining(['reasoningEffort', 'promptCacheOptions', 'textFormat', 'transport']),
  );
  expect(completionsAt(`${types}export const options = { truncation: '|' } satisfies ResponsesCallOptions;`)).toEqual([
    'auto',
    'disabled',
  ]);
  expect(
    completionsAt(`${types}export const options = { reasoningEffort: '|' } satisfies ResponsesCallOptions;`),
  ).toContain('minimal');
  expect(completionsAt(`${types}export const options = { loop: { | } } satisfies LoopCallOptions;`)).toContain(
    'maxRounds',
  );
});

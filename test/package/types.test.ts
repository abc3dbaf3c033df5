import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, inject, it } from 'vitest';

const consumer = inject('consumer');

/** What a user's compiler has to say about the user's files and about our declarations; other packages are not ours. */
function complaintsOf(files: readonly string[], module: ts.ModuleKind): readonly string[] {
  const options: ts.CompilerOptions = {
    module,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: ['node'],
  };
  const host = { ...ts.createCompilerHost(options), getCurrentDirectory: () => consumer };
  const roots = files.map((file) => join(consumer, file));
  const program = ts.createProgram(roots, options, host);
  const checked = program
    .getSourceFiles()
    .filter(({ fileName }) => roots.includes(fileName) || fileName.includes('/node_modules/responses-loop/'));
  // The consumer's own files, and at least one declaration file of ours.
  expect(checked.length).toBeGreaterThan(files.length);
  const diagnostics = [
    ...program.getOptionsDiagnostics(),
    ...checked.flatMap((file) => ts.getPreEmitDiagnostics(program, file)),
  ];
  return diagnostics.map(
    ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  );
}

/** The entries for AI SDK 6 and 7, the latter an ES module only. */
const LATER = ['types-ai6.mts', 'types-ai6.cts', 'types-ai7.mts'];

describe('types', () => {
  it.each([
    ['node16', ts.ModuleKind.Node16, ['types.mts', 'types.cts', ...LATER]],
    ['nodenext', ts.ModuleKind.NodeNext, ['types.mts', 'types.cts', ...LATER]],
    ['bundler', ts.ModuleKind.Preserve, ['types-bundler.ts', ...LATER]],
  ])('resolve with %s', (_, module, files) => {
    expect(complaintsOf(files, module)).toEqual([]);
  });
});

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

describe('an editor', () => {
  /** What it shows for the first place of a name in a program: the text, and the tags. */
  function hover(program: string, name: string): string {
    const file = join(consumer, 'hover.mts');
    const options: ts.CompilerOptions = { module: ts.ModuleKind.NodeNext, strict: true, types: [] };
    const service = ts.createLanguageService({
      getDefaultLibFileName: (wanted) => ts.getDefaultLibFilePath(wanted),
      readFile: (path) => ts.sys.readFile(path),
      directoryExists: (path) => ts.sys.directoryExists(path),
      getDirectories: (path) => ts.sys.getDirectories(path),
      getCompilationSettings: () => options,
      getScriptFileNames: () => [file],
      getScriptVersion: () => '1',
      getScriptSnapshot: (path) => {
        const text = path === file ? program : ts.sys.readFile(path);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => consumer,
      fileExists: (path) => path === file || ts.sys.fileExists(path),
    });
    const shown = service.getQuickInfoAtPosition(file, program.indexOf(name) + 1);
    const tags = shown?.tags?.map((tag) => `@${tag.name} ${ts.displayPartsToString(tag.text)}`) ?? [];
    return [ts.displayPartsToString(shown?.documentation), ...tags].join('\n');
  }

  const PROGRAM = `import { createResponsesProvider, type ObserverEvent } from 'responses-loop/ai6';
    const provider = createResponsesProvider({
      maxRounds: 3,
      timeouts: { idleMs: 1 },
      mcpServers: { files: { command: 'ls' } },
      onEvent: (event) => event.type === 'call-end' && event.durationMs,
    });`;

  it.each([
    ['maxRounds', /^Maximum number of rounds with tool calls.*\n@default 20\n@see .*\/limits#limits-of-the-loop\)$/],
    [
      'idleMs',
      /^How long a server may be silent .*, in milliseconds.*\n@default 900,000\n@see .*\/limits#timeouts-and-retries\)$/,
    ],
    ['command', /\n@see .*\/api#\S+\)$/],
    ['durationMs', /\n@see .*\/api#observerevent\)$/],
    ['createResponsesProvider({', /\n@example [^]*responses-loop\/ai6[^]*\n@see .*\/api#createresponsesprovider\)$/],
  ])('shows what %s means, its default and where it is documented', (name, expected) => {
    expect(hover(PROGRAM, name)).toMatch(expected);
  });
});

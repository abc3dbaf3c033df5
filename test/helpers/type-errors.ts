import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Type errors of pieces of code by their names, as if each were a file of the project. `packages`: paths of packages, below
 * the project, that take the place of those of the project.
 */
export function typeErrors(
  blocks: ReadonlyMap<string, string>,
  packages: Readonly<Record<string, string>> = {},
): string[] {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  for (const [name, path] of Object.entries(packages)) options.paths = { ...options.paths, [name]: [join(ROOT, path)] };
  const files = new Map([...blocks].map(([name, block]) => [join(ROOT, 'examples', `${name}.ts`), block]));
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

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { codeOf, DOCS, README } from '../docs/support/pages.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = [README, ...DOCS];
/** On a machine with other work. */
const PATIENCE_MS = 240_000;

/** What the pages import and this project does not install, as far as they use it. */
const NOT_INSTALLED = `
declare module '@restatedev/restate-sdk' {
  export interface WorkflowContext {
    run<T>(key: string, run: () => Promise<T>): Promise<T>;
    request(): { attemptCompletedSignal: AbortSignal };
  }
  export function workflow(definition: object): unknown;
}
declare module '@ai-sdk/mcp' {
  interface Client {
    tools(): Promise<import('ai').ToolSet>;
    close(): Promise<void>;
  }
  export function experimental_createMCPClient(config: { transport: unknown }): Promise<Client>;
}
declare module '@ai-sdk/mcp/mcp-stdio' {
  export class Experimental_StdioMCPTransport {
    constructor(config: { command: string; args: string[] });
  }
}
`;

/** Type errors of pieces of code by their names, as if each were a file of the project. */
function typeErrors(blocks: ReadonlyMap<string, string>): string[] {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  const files = new Map([...blocks].map(([name, block]) => [join(ROOT, 'examples', `${name}.ts`), block]));
  files.set(join(ROOT, 'examples', 'not-installed.d.ts'), NOT_INSTALLED);
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

/** Both programs of a piece of code that shows a change. */
function sidesOf(diff: string): [before: string, after: string] {
  const side = (sign: string): string =>
    diff
      .split('\n')
      .filter((line) => line.startsWith(sign) || line.startsWith(' ') || line === '')
      .map((line) => line.slice(1))
      .join('\n');
  return [side('-'), side('+')];
}

function named(path: string, blocks: readonly string[]): [name: string, block: string][] {
  return blocks.map((block, at) => [`${path.replaceAll(/\W/g, '-')}-${at}`, block]);
}

describe('the code in README and docs', () => {
  // One program for all of it: the libraries are read once, which takes most of the time.
  it('compiles, also before and after the change that a page shows', { timeout: PATIENCE_MS }, () => {
    const pieces = PAGES.flatMap((page) => named(page.path, codeOf(page, 'ts')));
    const changes = PAGES.flatMap((page) => named(`${page.path}-change`, codeOf(page, 'diff').flatMap(sidesOf)));
    expect(pieces.length).toBeGreaterThan(40);
    expect(changes).toHaveLength(2);
    expect(typeErrors(new Map([...pieces, ...changes]))).toEqual([]);
  });

  it.each(PAGES.filter((page) => codeOf(page, 'js', 'jsx').length > 0).map((page) => [page.path, page] as const))(
    'can be parsed where it is plain JavaScript: %s',
    (_path, page) => {
      const errors = codeOf(page, 'js', 'jsx').flatMap((block) => {
        const compilerOptions = { jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.ESNext };
        const { diagnostics = [] } = ts.transpileModule(block, {
          compilerOptions,
          fileName: 'block.jsx',
          reportDiagnostics: true,
        });
        return diagnostics.map((found) => ts.flattenDiagnosticMessageText(found.messageText, '\n'));
      });
      expect(errors).toEqual([]);
    },
  );
});

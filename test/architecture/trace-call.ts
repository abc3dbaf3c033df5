import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsup';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where the functions of the built package write down that they were entered. */
const TRACE = '__responsesLoopTrace';

type Package = typeof import('../../src/index.js');

/**
 * Builds the package with a line at the start of every named function, lets `call` use it, and gives the functions that were
 * entered, in the order in which each was entered first: `src/loop/run-call.ts runCall`.
 */
export async function traceCall(call: (built: Package) => Promise<void>): Promise<string[]> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'trace-'));
  const entered = new Set<string>();
  Object.assign(globalThis, { [TRACE]: (name: string) => entered.add(name) });
  try {
    await build({
      entry: { index: join(root, 'src/index.ts') },
      outDir: folder,
      format: 'esm',
      external: [/^#/],
      config: false,
      silent: true,
      esbuildPlugins: [
        { name: 'trace', setup: (esbuild) => esbuild.onLoad({ filter: /\.ts$/ }, ({ path }) => load(path)) },
      ],
    });
    await call((await import(pathToFileURL(join(folder, 'index.js')).href)) as Package);
    return [...entered];
  } finally {
    Reflect.deleteProperty(globalThis, TRACE);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The names of the functions and methods of a file that have a body of their own. */
export function namedFunctions(path: string, code: string): string[] {
  return bodiesOf(path, code).map(({ name }) => name);
}

function load(file: string): { readonly contents: string; readonly loader: 'ts' } {
  const path = relative(root, file).split(sep).join(posix.sep);
  return { contents: traced(path, readFileSync(file, 'utf8')), loader: 'ts' };
}

function traced(path: string, code: string): string {
  let text = code;
  for (const { name, at } of bodiesOf(path, code).toSorted((a, b) => b.at - a.at)) {
    text = `${text.slice(0, at)}globalThis.${TRACE}?.(${JSON.stringify(`${path} ${name}`)});${text.slice(at)}`;
  }
  return text;
}

function bodiesOf(path: string, code: string): { readonly name: string; readonly at: number }[] {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.ESNext, true);
  const found: { name: string; at: number }[] = [];
  const visit = (node: ts.Node): void => {
    const name = ts.isFunctionLike(node) ? nameOf(node) : undefined;
    const body = ts.isFunctionLike(node) && 'body' in node ? node.body : undefined;
    if (name !== undefined && body !== undefined && ts.isBlock(body)) found.push({ name, at: startOf(node, body) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Behind the brace; in the constructor of a subclass behind `super()`, which has to come first. */
function startOf(node: ts.Node, body: ts.Block): number {
  const [first] = body.statements;
  const isSuper = ts.isConstructorDeclaration(node) && first?.getText().startsWith('super(') === true;
  return isSuper ? first.getEnd() : body.getStart() + 1;
}

function nameOf(node: ts.SignatureDeclaration): string | undefined {
  if (ts.isConstructorDeclaration(node)) return `new ${node.parent.name?.text ?? ''}`;
  if (node.name !== undefined) return node.name.getText();
  const { parent } = node;
  const named = ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent) || ts.isPropertyAssignment(parent);
  return named ? parent.name.getText() : undefined;
}

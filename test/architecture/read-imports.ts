import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** How a module is mentioned. `type` leaves nothing behind in the built file; `lazy` is `import()`. */
export type ImportKind = 'value' | 'type' | 'lazy';

export interface ModuleImport {
  readonly kind: ImportKind;
  /** As written. */
  readonly specifier: string;
  /** `src/…` for our own files, otherwise the package's name or `node:…`. */
  readonly target: string;
  readonly line: number;
}

export interface SourceFile {
  /** From the root of the repository, with slashes: `src/stream/decode-event.ts`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly ModuleImport[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The names this repository gives to files of its own (tsconfig `paths`, package.json `imports`). */
const OWN_NAMES: Readonly<Record<string, string>> = {
  '#mcp-stdio': 'src/tools/mcp/stdio-node.ts',
  'responses-loop': 'src/index.ts',
  'responses-loop/ai5': 'src/index.ts',
  'responses-loop/testing': 'src/testing.ts',
  'responses-loop/v3': 'src/v3.ts',
  'responses-loop/v4': 'src/v4.ts',
};

/** A file of the repository, from its root. */
export function readText(path: string): string {
  return readFileSync(root + path, 'utf8');
}

/** Reads every TypeScript file below `folder`, without resolving or running anything. */
export function readSources(folder: string): readonly SourceFile[] {
  return filesBelow(folder)
    .filter((path) => path.endsWith('.ts'))
    .toSorted()
    .map((path) => {
      const text = readFileSync(root + path, 'utf8');
      return { path, text, imports: readImports(path, text) };
    });
}

/** Without packages: `test/sdks` and `examples/frameworks` are projects of their own, and theirs are many. */
function filesBelow(folder: string): string[] {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path);
    return [path];
  });
}

/** Every module that `text` mentions: imports, re-exports, `import()`, `import('…').T` and `require()`. */
export function readImports(path: string, text: string): readonly ModuleImport[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const imports: ModuleImport[] = [];
  const visit = (node: ts.Node): void => {
    const found = mentionOf(node);
    if (found !== undefined) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      imports.push({ ...found, target: targetOf(path, found.specifier), line });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return imports;
}

function mentionOf(node: ts.Node): Pick<ModuleImport, 'kind' | 'specifier'> | undefined {
  if (ts.isImportDeclaration(node)) {
    return mention(node.moduleSpecifier, node.importClause?.isTypeOnly === true ? 'type' : 'value');
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return mention(node.moduleSpecifier, node.isTypeOnly ? 'type' : 'value');
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return mention(node.argument.literal, 'type');
  if (!ts.isCallExpression(node)) return undefined;
  if (node.expression.kind === ts.SyntaxKind.ImportKeyword) return mention(node.arguments[0], 'lazy');
  return node.expression.getText() === 'require' ? mention(node.arguments[0], 'value') : undefined;
}

/** A specifier that is not a plain string cannot be judged: it gets a name that no table allows. */
function mention(specifier: ts.Node | undefined, kind: ImportKind): Pick<ModuleImport, 'kind' | 'specifier'> {
  const text = specifier !== undefined && ts.isStringLiteralLike(specifier) ? specifier.text : '(computed)';
  return { kind, specifier: text };
}

function targetOf(importer: string, specifier: string): string {
  const own = OWN_NAMES[specifier];
  if (own !== undefined) return own;
  if (specifier.startsWith('.')) {
    return posix.join(posix.dirname(importer), specifier).replace(/\.js$/, '.ts');
  }
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

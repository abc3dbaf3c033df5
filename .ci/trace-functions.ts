// An esbuild plugin for `npm run house`: each function of src tells `globalThis.entered` where it is when it is entered.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Options } from 'tsup';
import ts from 'typescript';

interface Edit {
  readonly at: number;
  readonly insert: string;
  /** Of edits at one place: the higher, the further in front. */
  readonly order: number;
}

export const traceFunctions: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'functions that tell when they are entered',
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({ contents: traced(path), loader: 'ts' }));
  },
};

function traced(path: string): string {
  const text = readFileSync(path, 'utf8');
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const file = relative(process.cwd(), path).replaceAll('\\', '/');
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined)
      edits.push(...editsOf(node as Written, tree, file));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  // From the end, so that earlier places stay what they are.
  return edits
    .toSorted((a, b) => b.at - a.at || b.order - a.order)
    .reduce((code, { at, insert }) => code.slice(0, at) + insert + code.slice(at), text);
}

type Written = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };

function editsOf({ body, name, parent }: Written, tree: ts.SourceFile, file: string): readonly Edit[] {
  const line = tree.getLineAndCharacterOfPosition(body.getStart(tree)).line + 1;
  const holder = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name : undefined;
  const called = (name ?? holder)?.getText(tree) ?? 'arrow';
  const tell = `globalThis.entered?.(${JSON.stringify(file)}, ${JSON.stringify(`${called}:${line}`)})`;
  if (ts.isBlock(body)) return [{ at: body.getStart(tree) + 1, insert: `${tell};`, order: 0 }];
  return [
    { at: body.getStart(tree), insert: `(${tell}, (`, order: 1 },
    { at: body.end, insert: '))', order: -1 },
  ];
}

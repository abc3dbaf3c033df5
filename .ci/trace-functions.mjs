// An esbuild plugin for `npm run house`: each function of src tells `globalThis.entered` where it is when it is entered.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import ts from 'typescript';

export const traceFunctions = {
  name: 'functions that tell when they are entered',
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({ contents: traced(path), loader: 'ts' }));
  },
};

function traced(path) {
  const text = readFileSync(path, 'utf8');
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const file = relative(process.cwd(), path).replaceAll('\\', '/');
  const edits = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) edits.push(...editsOf(node, tree, file));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  // From the end, so that earlier places stay what they are.
  return edits
    .toSorted((a, b) => b.at - a.at || b.order - a.order)
    .reduce((code, { at, insert }) => code.slice(0, at) + insert + code.slice(at), text);
}

function editsOf({ body, name, parent }, tree, file) {
  const line = tree.getLineAndCharacterOfPosition(body.getStart(tree)).line + 1;
  const called = (
    name ?? (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name : undefined)
  )?.getText(tree);
  const tell = `globalThis.entered?.(${JSON.stringify(file)}, ${JSON.stringify(`${called ?? 'arrow'}:${line}`)})`;
  if (ts.isBlock(body)) return [{ at: body.getStart(tree) + 1, insert: `${tell};`, order: 0 }];
  return [
    { at: body.getStart(tree), insert: `(${tell}, (`, order: 1 },
    { at: body.end, insert: '))', order: -1 },
  ];
}

// What `npm run house` counts in the sources by parsing them.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** Rings around the core, and the word by which a file of the core names one. */
const RINGS = {
  journal: { files: /^src\/(?:journal\/|core\/journal\.ts)/, word: /journal/i },
  socket: { files: /^src\/transport\/socket\//, word: /socket/i },
  fallback: { files: /^src\/fallback\//, word: /fallback|\bstock\b/i },
};
/** Rings that the table above does not look for by name. */
const MORE_RINGS =
  /^src\/(?:rounds\/(?:background|trim-rounds)|request\/trim-\w+|between\/|broken\/|outputs\/|runs\/|search\/|provider\/(?:compact|late-\w+|sdk-\w+|between-\w+)|sdk\/parts\/(?:collect-messages|compacted)|observe\/(?:open-telemetry|span|call-bill|cache-watch|watched-requests)|node\/)/;
/** Returns whether a file belongs to a ring. */
export const isOfRing = (path) => MORE_RINGS.test(path) || Object.values(RINGS).some(({ files }) => files.test(path));

const ITEM_TYPE = /^(?:\w+_call(?:_output)?|mcp_list_tools|mcp_approval_re\w+|program\w*)$/;

/** Of a library: without the command line and the testing kit, which are applications on it. */
export function countSource(root) {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => join('src', path).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const library = files.filter(({ path }) => !/^src\/(?:testing|cli|node)\b/.test(path));
  const core = library.filter(({ path }) => !isOfRing(path));
  const parsed = library.map(({ path, text }) => ({
    path,
    tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
  }));
  return {
    files,
    library: { files: library.length, lines: linesOf(library) },
    core: { files: core.length, lines: linesOf(core) },
    commands: linesOf(files.filter(({ path }) => /^src\/(?:cli|node)\b/.test(path))),
    naming: Object.fromEntries(
      Object.entries(RINGS).map(([name, { word }]) => [
        name,
        core.filter(({ text }) => word.test(text)).map(({ path }) => path),
      ]),
    ),
    tables: parsed.filter(({ path }) => !/^src\/(?:items|wire)\//.test(path)).flatMap(tablesOf),
    mutable: parsed.flatMap(mutableFieldsOf),
    folders: foldersOf(files),
  };
}

function linesOf(files) {
  return files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
}

function foldersOf(files) {
  const counts = new Map();
  for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].map(([folder, count]) => ({ folder, count })).toSorted((a, b) => b.count - a.count);
}

function nodesOf(tree, wanted) {
  const found = [];
  const visit = (node) => {
    if (wanted(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const where = (path, tree, node) => `${path}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}`;

/** Objects and lists with two or more names of tool items as keys or entries. */
function tablesOf({ path, tree }) {
  return nodesOf(tree, (node) => ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node))
    .filter((node) => {
      const names = ts.isObjectLiteralExpression(node)
        ? node.properties.flatMap(({ name }) =>
            name === undefined || ts.isComputedPropertyName(name) ? [] : [name.text],
          )
        : node.elements
            .flatMap((entry) => (ts.isArrayLiteralExpression(entry) ? [entry.elements[0]] : [entry]))
            .map((entry) => entry?.text);
      return names.filter((name) => ITEM_TYPE.test(name)).length > 1;
    })
    .map((node) => where(path, tree, node));
}

/** Members of classes that may be written again: neither `readonly` nor functions. */
function mutableFieldsOf({ path, tree }) {
  return nodesOf(
    tree,
    (node) =>
      ts.isPropertyDeclaration(node) || (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent)),
  )
    .filter((node) => !(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Readonly))
    .map((node) => where(path, tree, node));
}

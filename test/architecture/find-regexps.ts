import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** A regular expression in the sources. */
export interface FoundRegExp {
  /** Its file, from the root of the package. */
  readonly file: string;
  /** As it is written; of one that is made at run time, what it is made of. */
  readonly text: string;
  /** Of a literal. */
  readonly literal?: { readonly source: string; readonly flags: string };
}

/** All of a folder: literals, and what is made by `RegExp(…)`, or by a string method that makes one. */
export function findRegExps(root: string, folder: string): FoundRegExp[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/(^|\/)(test|node_modules)\//.test(path))
    .toSorted()
    .flatMap((path) => findIn(join(root, folder, path), relative(root, join(root, folder, path))));
}

function findIn(path: string, file: string): FoundRegExp[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: FoundRegExp[] = [];
  const visit = (node: ts.Node): void => {
    const text = node.getText(source);
    if (ts.isRegularExpressionLiteral(node)) found.push({ file, text, literal: partsOf(text) });
    else if (isMade(node)) found.push({ file, text: text.replaceAll(/\s+/g, ' ') });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function partsOf(text: string): { readonly source: string; readonly flags: string } {
  const end = text.lastIndexOf('/');
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

/** These turn a string into an expression. */
const MAKERS: ReadonlySet<string> = new Set(['match', 'matchAll', 'search']);

function isMade(node: ts.Node): boolean {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false;
  const { expression } = node;
  if (ts.isIdentifier(expression)) return expression.text === 'RegExp';
  const isMaker = ts.isPropertyAccessExpression(expression) && MAKERS.has(expression.name.text);
  const [argument] = node.arguments ?? [];
  return isMaker && argument !== undefined && !ts.isRegularExpressionLiteral(argument);
}

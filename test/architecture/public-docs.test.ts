import { resolve } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ENTRIES = ['index', 'v3', 'v4', 'node', 'question', 'testing'].map((name) => resolve(`src/${name}.ts`));

it('every public name and every member of it has a text that an editor shows', () => {
  const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const program = ts.createProgram(ENTRIES, options);
  const checker = program.getTypeChecker();
  const symbols = ENTRIES.flatMap((file) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    return module === undefined ? [] : checker.getExportsOfModule(module);
  });
  const declared = symbols.map((symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  );
  expect(declared.length).toBeGreaterThan(200);
  const bare = declared.flatMap((symbol) => [
    ...(symbol.getDocumentationComment(checker).length === 0 ? [symbol.name] : []),
    ...(symbol.declarations ?? [])
      .flatMap((declaration) => membersOf(declaration, checker))
      .filter((member) => ts.getJSDocCommentsAndTags(member).length === 0)
      .map((member) => `${symbol.name}.${member.name?.getText() ?? '()'}`),
  ]);
  expect([...new Set(bare)]).toEqual([]);
});

/** Its members, one a line, and those of the types it is put together from in its own file. */
function membersOf(node: ts.Node, checker: ts.TypeChecker): ts.TypeElement[] {
  const members = new Set<ts.TypeElement>();
  const seen = new Set<ts.Node>();
  const visit = (child: ts.Node): void => {
    if (ts.isTypeElement(child)) {
      if (/^\s*\n/.test(child.getFullText()) && !isMark(child)) members.add(child);
    } else if (ts.isTypeReferenceNode(child) || ts.isExpressionWithTypeArguments(child)) {
      const name = ts.isTypeReferenceNode(child) ? child.typeName : child.expression;
      const parts = checker.getSymbolAtLocation(name)?.declarations ?? [];
      parts.filter((part) => part.getSourceFile() === node.getSourceFile()).forEach(visitDeclaration);
    } else if (isMadeOfTypes(child)) {
      ts.forEachChild(child, visit);
    }
  };
  const visitDeclaration = (declaration: ts.Node): void => {
    const isType = ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration);
    if (!isType || seen.has(declaration)) return;
    seen.add(declaration);
    ts.forEachChild(declaration, visit);
  };
  visitDeclaration(node);
  return [...members];
}

function isMadeOfTypes(node: ts.Node): boolean {
  return (
    ts.isTypeLiteralNode(node) ||
    ts.isUnionTypeNode(node) ||
    ts.isIntersectionTypeNode(node) ||
    ts.isParenthesizedTypeNode(node) ||
    ts.isHeritageClause(node)
  );
}

/** A literal that tells one type of a union from the others speaks for itself. */
function isMark(member: ts.TypeElement): boolean {
  return ts.isPropertySignature(member) && member.type !== undefined && ts.isLiteralTypeNode(member.type);
}

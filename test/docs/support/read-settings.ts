import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A setting as its type declares it. */
export interface Setting {
  /** `timeouts.totalMs` for a member of a group. */
  readonly name: string;
  readonly type: string;
  /** What stands behind `@default` in its comment. */
  readonly byDefault: string | undefined;
  /** The first sentence of its comment. */
  readonly meaning: string;
}

/** Settings that are groups: the rows of their tables are shown in place of them. */
const GROUPS: Readonly<Record<string, string>> = {
  sockets: 'SOCKETS',
  timeouts: 'TIMEOUTS',
  retry: 'RETRIES',
  limits: 'LIMITS',
};

/** All settings of `createResponsesProvider`, in the order of the type. */
export function readSettings(): Setting[] {
  const source = sourceOf('src/settings/settings.ts');
  const type = source.statements.find(
    (node) => ts.isInterfaceDeclaration(node) && node.name.text === 'ResponsesProviderSettings',
  );
  if (type === undefined || !ts.isInterfaceDeclaration(type)) throw new Error('There is no type of the settings.');
  const own = type.members.filter(ts.isPropertySignature).flatMap((member) => {
    const setting = settingOf(member, typeOf(member, source), source);
    const group = GROUPS[setting.name];
    if (group === undefined) return [setting];
    return rowsOf(group).map((row) => ({ ...row, name: `${setting.name}.${row.name}` }));
  });
  return [...own, ...rowsOf('LOOP_LIMITS')];
}

/** The rows of a table of numbers. */
function rowsOf(table: string): Setting[] {
  const source = sourceOf('src/core/limits.ts');
  const declarations = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations]);
  let rows: ts.Node | undefined = declarations.find(({ name }) => name.getText(source) === table)?.initializer;
  while (rows !== undefined && (ts.isSatisfiesExpression(rows) || ts.isAsExpression(rows))) rows = rows.expression;
  if (rows === undefined || !ts.isObjectLiteralExpression(rows)) throw new Error(`There is no table ${table}.`);
  return rows.properties.filter(ts.isPropertyAssignment).map((row) => settingOf(row, 'number', source));
}

function sourceOf(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true);
}

function settingOf(member: ts.PropertySignature | ts.PropertyAssignment, type: string, source: ts.SourceFile): Setting {
  const name = member.name.getText(source);
  const [comment] = ts.getJSDocCommentsAndTags(member);
  const text = ts.getTextOfJSDocComment(comment?.comment)?.replaceAll(/\s+/g, ' ').trim() ?? '';
  const meaning = /^.*?[.](?=\s|$)/.exec(text)?.[0];
  if (meaning === undefined) throw new Error(`The setting ${name} has no comment with a sentence.`);
  const byDefault = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === 'default')?.comment;
  return { name, type, byDefault: ts.getTextOfJSDocComment(byDefault)?.replaceAll(/\s+/g, ' ').trim(), meaning };
}

function typeOf(member: ts.PropertySignature, source: ts.SourceFile): string {
  const type = member.type?.getText(source).replaceAll(/\s+/g, ' ') ?? '';
  return type
    .replace(/ \| undefined$/, '')
    .replaceAll('readonly ', '')
    .replace(/^Readonly<(.*)>$/, '$1');
}

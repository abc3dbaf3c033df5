import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A setting as its type declares it. */
export interface Setting {
  /** `timeouts.totalMs` for a member of a group. */
  readonly name: string;
  readonly type: string;
  /** What stands behind `Default:` in its comment. */
  readonly byDefault: string | undefined;
  /** The first sentence of its comment. */
  readonly meaning: string;
}

/** Settings that are groups: their members are shown in place of them. */
const GROUPS: Readonly<Record<string, readonly [file: string, type: string]>> = {
  sockets: ['src/settings/settings.ts', 'SocketSettings'],
  timeouts: ['src/settings/settings.ts', 'TimeoutSettings'],
  retry: ['src/settings/settings.ts', 'RetrySettings'],
  limits: ['src/core/limits.ts', 'Limits'],
};

/** All settings of `createResponsesProvider`, in the order of the type. */
export function readSettings(): Setting[] {
  return membersOf('src/settings/settings.ts', 'ResponsesProviderSettings').flatMap((setting) => {
    const group = GROUPS[setting.name];
    if (group === undefined) return [setting];
    return membersOf(...group).map((member) => ({ ...member, name: `${setting.name}.${member.name}` }));
  });
}

function membersOf(file: string, type: string): Setting[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true);
  const found = source.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === type);
  if (found === undefined || !ts.isInterfaceDeclaration(found)) throw new Error(`${file} has no interface ${type}.`);
  return found.members.filter(ts.isPropertySignature).map((member) => settingOf(member, source));
}

function settingOf(member: ts.PropertySignature, source: ts.SourceFile): Setting {
  const name = member.name.getText(source);
  const [comment] = ts.getJSDocCommentsAndTags(member);
  const text = ts.getTextOfJSDocComment(comment?.comment)?.replaceAll(/\s+/g, ' ').trim() ?? '';
  const meaning = /^.*?[.](?=\s|$)/.exec(text)?.[0];
  if (meaning === undefined) throw new Error(`The setting ${name} has no comment with a sentence.`);
  return { name, type: typeOf(member, source), byDefault: /\bDefault: (.*?)[.](?=\s|$)/.exec(text)?.[1], meaning };
}

function typeOf(member: ts.PropertySignature, source: ts.SourceFile): string {
  const type = member.type?.getText(source).replaceAll(/\s+/g, ' ') ?? '';
  return type
    .replace(/ \| undefined$/, '')
    .replaceAll('readonly ', '')
    .replace(/^Readonly<(.*)>$/, '$1');
}

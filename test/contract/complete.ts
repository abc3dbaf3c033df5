import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import type { Sides } from './sides.js';
import { CALL_OPTIONS } from './tables/call-options.js';
import { FUNCTION_OPTIONS } from './tables/function-options.js';
import { HOSTED_TOOLS } from './tables/hosted-tools.js';
import { MESSAGE_OPTIONS } from './tables/message-options.js';

/** Nothing of the stock package may be missing from the tables: its own declarations are asked, as it was installed. */
export function describeCompleteness(sides: Sides, packageName: string, from: string): void {
  const declared = declarationsOf(packageName, from);
  const { major } = sides;
  const known = ({ since = 2 }: { readonly since?: number }): boolean => since <= major;

  describe(`the tables of @ai-sdk/openai ${major}`, () => {
    it('have every option of a call', () => {
      const options = membersOf(declared, /^openai(LanguageModel)?Responses(Provider)?OptionsSchema$/);
      expect(options).toContain('promptCacheKey');
      const rows = CALL_OPTIONS.filter(known).map(({ option }) => option);
      expect(options.filter((option) => !rows.includes(option))).toEqual([]);
    });

    it('have every option of a function', () => {
      const options = membersOf(declared, /^OpenAIToolOptions$/);
      expect(options.length).toBeGreaterThan(0);
      const rows = FUNCTION_OPTIONS.filter(known).flatMap((row) => Object.keys(row.options));
      expect(options.filter((option) => !rows.includes(option))).toEqual([]);
    });

    it('have every option of a system message and of a result', () => {
      const options = membersOf(declared, /^openaiResponses(SystemMessage|ToolResult)OptionsSchema$/);
      expect(options).toContain('reasoningEffortUpdate');
      const rows = MESSAGE_OPTIONS.filter(known).map(({ name }) => name);
      expect(options.filter((option) => !rows.some((name) => name.includes(option)))).toEqual([]);
    });

    it('have every tool', () => {
      const rows = HOSTED_TOOLS.filter(known).map(({ tool }) => tool);
      expect(Object.keys(sides.hosted).filter((tool) => !rows.includes(tool))).toEqual([]);
    });
  });
}

function declarationsOf(packageName: string, from: string): ts.SourceFile {
  const root = dirname(createRequire(from).resolve(`${packageName}/package.json`));
  const file = join(root, 'dist/index.d.ts');
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
}

/** Names of the members of what a schema takes, or of a type. */
function membersOf(file: ts.SourceFile, name: RegExp): string[] {
  const types = file.statements.flatMap((statement): ts.TypeNode[] => {
    if (ts.isTypeAliasDeclaration(statement)) return name.test(statement.name.text) ? [statement.type] : [];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap((declaration) =>
      ts.isIdentifier(declaration.name) && name.test(declaration.name.text) ? argumentsOf(declaration.type) : [],
    );
  });
  const members = types.filter(ts.isTypeLiteralNode).flatMap((type) => [...type.members]);
  return members.flatMap((member) =>
    member.name !== undefined && ts.isIdentifier(member.name) ? [member.name.text] : [],
  );
}

/** What stands between the brackets of `LazySchema<{ … }>`, written with or without an import. */
function argumentsOf(type: ts.TypeNode | undefined): readonly ts.TypeNode[] {
  if (type === undefined || !(ts.isTypeReferenceNode(type) || ts.isImportTypeNode(type))) return [];
  return type.typeArguments ?? [];
}

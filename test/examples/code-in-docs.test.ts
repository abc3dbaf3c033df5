import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { codeOf, DOCS, forInstalled, programsOf, README } from '../docs/support/pages.js';
import { withDeclarations } from '../docs/support/not-installed.js';
import { typeErrors } from '../helpers/type-errors.js';

const PAGES = [README, ...DOCS];
/** On a machine with other work. */
const PATIENCE_MS = 240_000;

/** Both programs of a piece of code that shows a change. */
function sidesOf(diff: string): [before: string, after: string] {
  const side = (sign: string): string =>
    diff
      .split('\n')
      .filter((line) => line.startsWith(sign) || line.startsWith(' ') || line === '')
      .map((line) => line.slice(1))
      .join('\n');
  return [side('-'), side('+')];
}

function named(path: string, blocks: readonly string[]): [name: string, block: string][] {
  return blocks.map((block, at) => [`${path.replaceAll(/\W/g, '-')}-${at}`, forInstalled(block)]);
}

describe('the code in README and docs', () => {
  // One program for all of it: the libraries are read once, which takes most of the time.
  it('compiles, also before and after the change that a page shows', { timeout: PATIENCE_MS }, () => {
    const pieces = PAGES.flatMap((page) => named(page.path, programsOf(page)));
    const changes = PAGES.flatMap((page) => named(`${page.path}-change`, codeOf(page, 'diff').flatMap(sidesOf)));
    expect(pieces.length).toBeGreaterThan(40);
    expect(changes).toHaveLength(2);
    expect(typeErrors(withDeclarations(new Map([...pieces, ...changes])))).toEqual([]);
  });

  it.each(PAGES.filter((page) => codeOf(page, 'js', 'jsx').length > 0).map((page) => [page.path, page] as const))(
    'can be parsed where it is plain JavaScript: %s',
    (_path, page) => {
      const errors = codeOf(page, 'js', 'jsx').flatMap((block) => {
        const compilerOptions = { jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.ESNext };
        const { diagnostics = [] } = ts.transpileModule(block, {
          compilerOptions,
          fileName: 'block.jsx',
          reportDiagnostics: true,
        });
        return diagnostics.map((found) => ts.flattenDiagnosticMessageText(found.messageText, '\n'));
      });
      expect(errors).toEqual([]);
    },
  );
});

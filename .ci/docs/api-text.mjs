import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Import, source and note of each entry. */
export const ENTRIES = [
  [
    'responses-loop/ai6',
    'src/v3.ts',
    'The same for AI SDK 5 (`/ai5`) and 7 (`/ai7`), where only `ResponsesProviderV3` has another number.',
  ],
  ['responses-loop/node', 'src/node.ts', 'For programs with a file system.'],
  ['responses-loop/question', 'src/question.ts', 'For programs and for pages in a browser.'],
  ['responses-loop/testing', 'src/testing.ts', 'For tests, in Node.'],
];

/** The page of every export: its comment and its declaration, as the sources have them. */
export function apiText() {
  const config = ts.readConfigFile(`${ROOT}/tsconfig.json`, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  const program = ts.createProgram(
    ENTRIES.map(([, file]) => `${ROOT}/${file}`),
    options,
  );
  const checker = program.getTypeChecker();
  const sections = ENTRIES.map(([name, file, note]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(`${ROOT}/${file}`));
    const all = checker.getExportsOfModule(module).map((symbol) => exportOf(checker, symbol));
    // Functions and classes before types.
    const sorted = all.toSorted((a, b) => a.isType - b.isType || a.name.localeCompare(b.name));
    return `## \`${name}\`\n\n${note}\n\n${sorted.map(({ text }) => text).join('\n\n')}\n`;
  });
  return `# API\n\n*What does each entry export?*\n\n${sections.join('\n')}`;
}

function exportOf(checker, symbol) {
  const origin = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const { name } = symbol;
  const comment = ts.displayPartsToString(origin.getDocumentationComment(checker));
  const examples = origin
    .getJsDocTags(checker)
    .filter((tag) => tag.name === 'example')
    .map((tag) => code(ts.displayPartsToString(tag.text)));
  const pieces = [`### ${name}`, plain(comment), code(declarationOf(origin)), ...examples];
  return {
    name,
    isType: Number((origin.flags & ts.SymbolFlags.Value) === 0),
    text: pieces.filter((piece) => piece !== '').join('\n\n'),
  };
}

/** Without the bodies of functions. */
function declarationOf(symbol) {
  return symbol
    .getDeclarations()
    .map((node) => {
      const whole = ts.isVariableDeclaration(node) ? node.parent.parent : node;
      if (ts.isInterfaceDeclaration(whole) || ts.isTypeAliasDeclaration(whole)) return whole.getText();
      const { outputText } = ts.transpileDeclaration(whole.getText(), { fileName: 'export.ts' });
      return outputText.trim();
    })
    .map((text) => text.replace(/^export (?:declare )?/, ''))
    .join('\n');
}

function code(text) {
  return `\`\`\`ts\n${text}\n\`\`\``;
}

/** A comment as Markdown: what looks like a tag is text. */
function plain(comment) {
  const linked = comment.replaceAll(/\{@link (\w+)[^}]*\}/g, '`$1`');
  return linked
    .split(/(`[^`]*`)/)
    .map((piece) => (piece.startsWith('`') ? piece : piece.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')))
    .join('');
}

// Adds to each comment of a public name in the declarations of `dist` a link to its place in the documentation, so that an
// editor shows it. The sources stay without two hundred addresses.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { ENTRIES } from './api-text.mjs';
import { SETTINGS_PAGES } from './settings-pages.mjs';
import { slugOf } from './slug.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { homepage } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
/** The settings, and the tables of numbers that types of settings are made of, by the group that their rows belong to. */
const GROUPS = {
  ResponsesProviderSettings: '',
  LOOP_LIMITS: '',
  TIMEOUTS: 'timeouts.',
  RETRIES: 'retry.',
  SOCKETS: 'sockets.',
  LIMITS: 'limits.',
};

const declarations = readdirSync(`${ROOT}/dist`).filter((name) => name.endsWith('.d.cts'));
if (declarations.length > 0) linkAll();

function linkAll() {
  const names = exportedNames();
  const sections = new Map(SETTINGS_PAGES.flatMap(sectionsOfSettings));
  for (const name of declarations) {
    const path = `${ROOT}/dist/${name}`;
    writeFileSync(path, linked(readFileSync(path, 'utf8'), { names, sections }));
  }
}

/** The names that have a place on the page of the API. */
function exportedNames() {
  return new Set(
    ENTRIES.flatMap(([, source]) => {
      const { statements } = parse(readFileSync(`${ROOT}/dist/${basename(source, '.ts')}.d.cts`, 'utf8'));
      const lists = statements
        .filter(ts.isExportDeclaration)
        .flatMap(({ exportClause }) => exportClause?.elements ?? []);
      return lists.map(({ name }) => name.text);
    }),
  );
}

function parse(text) {
  return ts.createSourceFile('declarations.d.cts', text, ts.ScriptTarget.ESNext, true);
}

/** The settings of a page, each with its place: the page and the heading above the table that lists the setting. */
function sectionsOfSettings(page) {
  const sections = [];
  let heading = '';
  for (const line of readFileSync(`${ROOT}/docs/${page}.md`, 'utf8').split('\n')) {
    heading = /^##+ (.+)$/.exec(line)?.[1] ?? heading;
    const [, listed] = /^<!-- settings: (.+) -->$/.exec(line) ?? [];
    for (const setting of listed?.split(', ') ?? []) sections.push([setting, `${page}#${slugOf(heading)}`]);
  }
  return sections;
}

function linked(text, { names, sections }) {
  const statements = new Map(parse(text).statements.map((statement) => [nameOf(statement), statement]));
  statements.delete(undefined);
  const owners = ownersOf(statements, names);
  const comments = [...statements].flatMap((statement) => commentsOf(statement, { owners, sections }));
  return comments
    .toSorted((a, b) => b.end - a.end)
    .reduce((linkedText, { start, end, page }) => {
      const comment = linkedText.slice(start, end);
      return `${linkedText.slice(0, start)}${withLink(comment, `${homepage}/${page}`)}${linkedText.slice(end)}`;
    }, text);
}

/** The comments of a declaration and of its members, each with its page. */
function commentsOf([name, statement], { owners, sections }) {
  const owner = owners.get(name);
  if (owner === undefined) return [];
  const page = `api#${slugOf(owner)}`;
  const group = GROUPS[name];
  const pageOf = (member) => {
    if (group === undefined) return page;
    return sections.get(group + member.name?.getText()) ?? sections.get(`${group}*`) ?? page;
  };
  const found = at(statement, page);
  const visit = (node) => {
    if (isMember(node)) found.push(...at(node, pageOf(node)));
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(statement, visit);
  return found;
}

/** The exported name that each declaration belongs to: itself, or the nearest one that is made of it. */
function ownersOf(statements, names) {
  const owners = new Map([...statements.keys()].filter((name) => names.has(name)).map((name) => [name, name]));
  // A map hands out what is added to it meanwhile: nearer ones come first.
  for (const [name, owner] of owners) {
    const visit = (node) => {
      if (ts.isIdentifier(node) && statements.has(node.text) && !owners.has(node.text)) owners.set(node.text, owner);
      ts.forEachChild(node, visit);
    };
    visit(statements.get(name));
  }
  return owners;
}

function nameOf(statement) {
  return (ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : statement)?.name?.getText();
}

function isMember(node) {
  return ts.isTypeElement(node) || ts.isClassElement(node);
}

/** The last comment of a node is the one that editors show. */
function at(node, page) {
  return (node.jsDoc ?? []).slice(-1).map(({ pos, end }) => ({ start: pos, end, page }));
}

function withLink(comment, url) {
  const tag = `@see [Documentation](${url})`;
  if (comment.includes('@see [Documentation]')) return comment;
  const lastLine = /\n([ \t]*)[*][/]$/.exec(comment);
  if (lastLine === null) return comment.replace(/\s*[*][/]$/, ` ${tag} */`);
  return `${comment.slice(0, lastLine.index)}\n${lastLine[1]}* ${tag}${lastLine[0]}`;
}

import { Parser } from 'acorn';
import jsx from 'acorn-jsx';
import type { z } from 'zod';
import { view, type ViewNode } from '../tools/json-render.js';
import { type AttributeValue, type Component, COMPONENTS, ROOT } from './components.js';
import type { JsxAttribute, JsxChild, JsxElement, JsxExpression, JsxSpread, Located, Program } from './syntax.js';

/** What is wrong with a file, and where. */
export class JsxError extends Error {
  readonly line: number;
  /** From 1 on, as editors count. */
  readonly column: number;

  constructor({ loc: { start } }: Located, problem: string) {
    super(`Line ${start.line}, column ${start.column + 1}: ${problem}`);
    this.line = start.line;
    this.column = start.column + 1;
  }
}

const START: Located = { loc: { start: { line: 1, column: 0 } } };
const JsxParser = Parser.extend(jsx({ allowNamespaces: false }));

/**
 * Reads a file of JSX as data: nothing of it is ever run. What it may hold is a list, and only literals are values.
 *
 * @throws JsxError for everything else.
 */
export function checkJsx(source: string): readonly ViewNode[] {
  const places = new Map<unknown, Located>();
  const root = rootOf(parse(source));
  const { name } = root.openingElement.name;
  if (name !== ROOT) throw new JsxError(root, `The file must be one <${ROOT}>, and this is <${name ?? '?'}>.`);
  const checked = view.safeParse(buildElement(root, places));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new JsxError(placeOf(issue, places, root), issue?.message ?? 'This cannot be shown.');
}

function parse(source: string): Program {
  try {
    const program: unknown = JsxParser.parse(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
    return program as Program;
  } catch (error) {
    if (error instanceof RangeError) throw new JsxError(START, 'It is nested too deeply.');
    const { loc = START.loc.start, message } = error as SyntaxError & { loc?: Located['loc']['start'] };
    throw new JsxError(
      { loc: { start: loc } },
      `${message.replace(/ \(\d+:\d+\)$/, '')}. Close every element, and quote texts.`,
    );
  }
}

/** The only statement: an element, or the default export of one. */
function rootOf({ body }: Program): JsxElement {
  const [statement, more] = body;
  if (more !== undefined)
    throw new JsxError(more, 'A file contains one element and nothing else: no imports, no code.');
  const found = statement?.type === 'ExpressionStatement' ? statement.expression : statement?.declaration;
  if (found?.type === 'JSXElement') return found as JsxElement;
  throw new JsxError(statement ?? START, `The file must be one <${ROOT}>…</${ROOT}>: code is not taken.`);
}

function buildElement(element: JsxElement, places: Map<unknown, Located>): unknown {
  const { name: tag, attributes: given } = element.openingElement;
  const name = tag.type === 'JSXIdentifier' ? (tag.name ?? '') : '';
  const component = Object.hasOwn(COMPONENTS, name) ? COMPONENTS[name] : undefined;
  if (component === undefined) {
    throw new JsxError(element, `<${name}> is unknown: there are ${Object.keys(COMPONENTS).join(', ')}.`);
  }
  const attributes = readAttributes(given, { element, name, component });
  const { children, text } = readChildren(element.children, { element, name, component }, places);
  const built = component.build({ attributes, children, text });
  if (typeof built === 'object') places.set(built, element);
  return built;
}

interface Place {
  readonly element: JsxElement;
  readonly name: string;
  readonly component: Component;
}

function readAttributes(
  given: readonly (JsxAttribute | JsxSpread)[],
  { element, name, component }: Place,
): Record<string, AttributeValue> {
  const known = component.attributes;
  const read = new Map<string, AttributeValue>();
  for (const attribute of given) {
    if (attribute.type === 'JSXSpreadAttribute')
      throw new JsxError(attribute, 'Write each attribute out: {...} is not taken.');
    const key = attribute.name.name ?? '';
    if (!Object.hasOwn(known, key)) {
      const names = Object.keys(known);
      const there = names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`;
      throw new JsxError(attribute, `<${name}> has no attribute ${key}: ${there}.`);
    }
    if (read.has(key)) throw new JsxError(attribute, `${key} is there twice.`);
    read.set(key, readValue(attribute, known[key]?.types ?? []));
  }
  const missing = Object.keys(known).find((key) => known[key]?.isRequired === true && !read.has(key));
  if (missing !== undefined) throw new JsxError(element, `<${name}> needs the attribute ${missing}.`);
  return Object.fromEntries(read);
}

function readValue(attribute: JsxAttribute, types: readonly string[]): AttributeValue {
  const { value } = attribute;
  const found = value === null ? true : value.type === 'JSXExpressionContainer' ? literalOf(value) : value.value;
  if (!types.includes(typeof found)) {
    throw new JsxError(attribute, `${attribute.name.name ?? ''} must be a ${types.join(' or ')}.`);
  }
  return found;
}

function readChildren(
  given: readonly JsxChild[],
  { name, component }: Place,
  places: Map<unknown, Located>,
): { readonly children: readonly unknown[]; readonly text: string } {
  const children: unknown[] = [];
  const texts: string[] = [];
  for (const child of given) {
    if (child.type === 'JSXElement') {
      const inner = child.openingElement.name.name ?? '';
      if (Object.hasOwn(COMPONENTS, inner) && !component.inside.includes(inner)) {
        const there = component.hasText === true ? 'text only' : component.inside.join(', ') || 'nothing';
        throw new JsxError(child, `<${inner}> cannot be inside <${name}>, which contains ${there}.`);
      }
      children.push(buildElement(child, places));
    } else if (child.type === 'JSXText') texts.push(lineOf(child.value));
    else if (child.type !== 'JSXExpressionContainer')
      throw new JsxError(child, 'Only elements and texts are taken here.');
    else if (child.expression.type !== 'JSXEmptyExpression') texts.push(String(literalOf(child)));
    const isText = texts.some((text) => text.trim() !== '');
    if (isText && component.hasText !== true)
      throw new JsxError(child, `<${name}> cannot contain text: put it into <Text>.`);
  }
  return { children, text: texts.join('').trim() };
}

/** A text over several lines is one line, as in React. */
function lineOf(text: string): string {
  const lines = text.split('\n');
  const last = lines.length - 1;
  const trimmed = lines.map((line, at) => {
    const begun = at === 0 ? line : line.trimStart();
    return at === last ? begun : begun.trimEnd();
  });
  return trimmed.filter((line) => line !== '').join(' ');
}

function literalOf(container: JsxExpression): AttributeValue {
  const { expression } = container;
  const isLiteral = expression.type === 'Literal' && expression.regex === undefined && expression.bigint === undefined;
  if (isLiteral && expression.value !== null && expression.value !== undefined) return expression.value;
  throw new JsxError(container, 'Only a literal is allowed in {}: a text in quotes, a number, true or false.');
}

/** The innermost element on the way to what the schema refuses. */
function placeOf(issue: z.core.$ZodIssue | undefined, places: ReadonlyMap<unknown, Located>, root: Located): Located {
  let at: unknown = [...places.keys()].find((built) => places.get(built) === root);
  let found = root;
  for (const key of issue?.path ?? []) {
    at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
    found = places.get(at) ?? found;
  }
  return found;
}

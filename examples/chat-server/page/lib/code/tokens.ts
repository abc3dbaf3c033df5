/** Colours of the palette; there are no others. */
export type TokenKind = 'keyword' | 'string' | 'comment' | 'number' | 'name' | 'added' | 'removed';

export interface Token {
  readonly text: string;
  readonly kind: TokenKind | undefined;
}

/** As much of a tree of `lowlight` as is read. */
interface Node {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly Node[];
}

const KINDS: ReadonlyMap<string, TokenKind> = new Map([
  ['keyword', 'keyword'],
  ['literal', 'keyword'],
  ['selector-tag', 'keyword'],
  ['variable.language', 'keyword'],
  ['doctag', 'keyword'],
  ['string', 'string'],
  ['regexp', 'string'],
  ['link', 'string'],
  ['code', 'string'],
  ['comment', 'comment'],
  ['quote', 'comment'],
  ['meta', 'comment'],
  ['number', 'number'],
  ['symbol', 'number'],
  ['bullet', 'number'],
  ['title', 'name'],
  ['section', 'name'],
  ['name', 'name'],
  ['attr', 'name'],
  ['attribute', 'name'],
  ['property', 'name'],
  ['type', 'name'],
  ['built_in', 'name'],
  ['selector-class', 'name'],
  ['selector-id', 'name'],
  ['addition', 'added'],
  ['deletion', 'removed'],
]);

/** Flat and made of text alone: nothing of what is highlighted can become markup. */
export function tokensOf({ children = [] }: Pick<Node, 'children'>, around?: TokenKind): Token[] {
  return children.flatMap((node) =>
    node.type === 'text' ? [{ text: node.value ?? '', kind: around }] : tokensOf(node, kindOf(node) ?? around),
  );
}

function kindOf({ properties }: Node): TokenKind | undefined {
  const [name] = Array.isArray(properties?.className) ? (properties.className as readonly unknown[]) : [];
  return typeof name === 'string' ? KINDS.get(name.replace(/^hljs-/, '')) : undefined;
}

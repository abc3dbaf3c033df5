/** As much of ESTree with JSX as is read. */
export interface Located {
  readonly loc: { readonly start: { readonly line: number; readonly column: number } };
}

export interface Program {
  readonly body: readonly Statement[];
}

interface Statement extends Located {
  readonly type: string;
  readonly expression?: { readonly type: string };
  readonly declaration?: { readonly type: string };
}

export interface JsxElement extends Located {
  readonly type: 'JSXElement';
  readonly openingElement: {
    readonly name: JsxName;
    readonly attributes: readonly (JsxAttribute | JsxSpread)[];
  };
  readonly children: readonly JsxChild[];
}

/** Without a name, if it is one of several parts. */
interface JsxName {
  readonly type: string;
  readonly name?: string;
}

export interface JsxAttribute extends Located {
  readonly type: 'JSXAttribute';
  readonly name: JsxName;
  readonly value: JsxExpression | { readonly type: 'Literal'; readonly value: string } | null;
}

export interface JsxSpread extends Located {
  readonly type: 'JSXSpreadAttribute';
}

export interface JsxExpression extends Located {
  readonly type: 'JSXExpressionContainer';
  readonly expression: {
    readonly type: string;
    readonly value?: string | number | boolean | null;
    readonly regex?: unknown;
    readonly bigint?: unknown;
  };
}

interface JsxText extends Located {
  readonly type: 'JSXText';
  readonly value: string;
}

interface JsxOther extends Located {
  readonly type: 'JSXFragment' | 'JSXSpreadChild';
}

export type JsxChild = JsxElement | JsxExpression | JsxText | JsxOther;

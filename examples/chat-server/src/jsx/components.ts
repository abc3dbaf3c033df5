/** What a component of a checked file may hold, and what it becomes for the page. */
export interface Component {
  readonly attributes: Readonly<Record<string, Attribute>>;
  /** Names of the components that may stand in it. */
  readonly inside: readonly string[];
  readonly hasText?: true;
  readonly build: (parts: Parts) => unknown;
}

interface Attribute {
  readonly types: readonly ('string' | 'number' | 'boolean')[];
  readonly isRequired?: true;
}

export type AttributeValue = string | number | boolean;

interface Parts {
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly children: readonly unknown[];
  readonly text: string;
}

const BLOCKS = ['Text', 'List', 'Stat', 'Table'];
const LINE: Attribute = { types: ['string'] };
const NEEDED: Attribute = { types: ['string'], isRequired: true };
const textOf = ({ text }: Parts): unknown => text;
const childrenOf = ({ children }: Parts): unknown => children;

/** A file is one View. The others become what `jsonRender` shows, and the page draws them as it draws that. */
export const ROOT = 'View';
export const COMPONENTS: Readonly<Record<string, Component>> = {
  [ROOT]: { attributes: {}, inside: ['Card', ...BLOCKS], build: childrenOf },
  Card: {
    attributes: { title: NEEDED },
    inside: BLOCKS,
    build: ({ attributes, children }) => ({ type: 'card', ...attributes, children }),
  },
  Text: { attributes: {}, inside: [], hasText: true, build: ({ text }) => ({ type: 'text', text }) },
  List: {
    attributes: { isOrdered: { types: ['boolean'] } },
    inside: ['Item'],
    build: ({ attributes, children }) => ({ type: 'list', ...attributes, items: children }),
  },
  Item: { attributes: {}, inside: [], hasText: true, build: textOf },
  Stat: {
    attributes: { label: NEEDED, value: { types: ['string', 'number'], isRequired: true }, note: LINE },
    inside: [],
    build: ({ attributes }) => ({ type: 'stat', ...attributes }),
  },
  Table: {
    attributes: { caption: LINE },
    inside: ['Head', 'Row'],
    build: ({ attributes, children }) => {
      const [head, ...rows] = children as readonly TableRow[];
      return { type: 'table', ...attributes, columns: head?.cells ?? [], rows: rows.map(({ cells }) => cells) };
    },
  },
  Head: { attributes: {}, inside: ['Cell'], build: ({ children }) => ({ cells: children }) },
  Row: { attributes: {}, inside: ['Cell'], build: ({ children }) => ({ cells: children }) },
  Cell: { attributes: {}, inside: [], hasText: true, build: textOf },
};

interface TableRow {
  readonly cells: readonly unknown[];
}

/** For the model: each component with what it may have. */
export const CATALOGUE = Object.entries(COMPONENTS)
  .map(([name, { attributes, inside, hasText }]) => {
    const given = Object.entries(attributes).map(([key, { isRequired }]) => ` ${key}${isRequired ? '' : '?'}`);
    const held = hasText === true ? 'text' : inside.join(', ');
    return `<${name}${given.join('')}>${held === '' ? '' : ` contains ${held}`}`;
  })
  .join('; ');

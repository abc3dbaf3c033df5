import type { ViewBlock, ViewNode } from '../../../src/tools/json-render.js';
import { asObject } from '../../lib/parts.js';
import type { ToolBodyProps } from '../../lib/tool-bodies.js';

/** What `jsonRender` shows, whose input the server has checked, and what `writeJsx` read out of its file. */
export default function ViewBody({ part }: ToolBodyProps) {
  const view = (asObject(part.output)['view'] ?? asObject(part.input)['view']) as readonly ViewNode[];
  return (
    <div className="view">
      {view.map((node, at) =>
        node.type === 'card' ? (
          <section key={at} className="view-card" aria-label={node.title}>
            <h2>{node.title}</h2>
            <Blocks blocks={node.children} />
          </section>
        ) : (
          <Block key={at} block={node} />
        ),
      )}
    </div>
  );
}

function Blocks({ blocks }: { readonly blocks: readonly ViewBlock[] }) {
  return blocks.map((block, at) => <Block key={at} block={block} />);
}

function Block({ block }: { readonly block: ViewBlock }) {
  switch (block.type) {
    case 'text':
      return <p className="said">{block.text}</p>;
    case 'list': {
      const List = block.isOrdered === true ? 'ol' : 'ul';
      return (
        <List>
          {block.items.map((item, at) => (
            <li key={at}>{item}</li>
          ))}
        </List>
      );
    }
    case 'stat':
      return (
        <dl className="view-stat">
          <dt>{block.label}</dt>
          <dd>{block.value}</dd>
          {block.note !== undefined && <dd className="hint">{block.note}</dd>}
        </dl>
      );
    case 'table':
      return <Table {...block} />;
  }
}

function Table({ caption, columns, rows }: Extract<ViewBlock, { type: 'table' }>) {
  return (
    <div className="wide-table" tabIndex={0} role="group" aria-label={caption ?? 'Table'}>
      <table>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={at} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>{cell === null ? '–' : String(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

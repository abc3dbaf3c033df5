import { Text } from 'ink';
import { createContext, memo, type ReactNode, useContext } from 'react';
import type { Row, Span } from './rows.js';

/** Whether colours are wanted. Without them bold, dim and inverse stay: they are no colours. */
export const ColorContext = createContext(true);

/** Rows as ink draws them: one line each, whatever is in them. */
export const RowsView = memo(function RowsView({ rows }: { readonly rows: readonly Row[] }): ReactNode {
  return rows.map((spans, index) => <RowView key={index} spans={spans} />);
});

function RowView({ spans }: { readonly spans: Row }): ReactNode {
  // A text without characters would have no height.
  if (spans.every(({ text }) => text === '')) return <Text> </Text>;
  return (
    <Text wrap="truncate">
      {spans.map((span, index) => (
        <SpanView key={index} span={span} />
      ))}
    </Text>
  );
}

function SpanView({ span }: { readonly span: Span }): ReactNode {
  const hasColor = useContext(ColorContext);
  const { text, color, dim, strike, link, ...look } = span;
  return (
    <Text {...look} {...(hasColor && color && { color })} dimColor={dim === true} strikethrough={strike === true}>
      {link === undefined ? text : `${linkTo(link)}${text}${linkTo('')}`}
    </Text>
  );
}

/** Begins a link (OSC 8); without an address it ends one. */
function linkTo(address: string): string {
  return `\u001B]8;;${address}\u0007`;
}

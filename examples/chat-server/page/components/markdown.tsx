import { Markdown, type MarkdownToJSX } from 'markdown-to-jsx/react';
import { memo, type ReactNode } from 'react';
import { safeLink } from '../lib/links.js';
import { CodeBlock, GrowingText } from './code-block.js';

/**
 * A model's words may say anything. Raw HTML is text, links lead to web pages and mail only, and images are links: to load
 * one would tell its host that it was read, and what its address holds.
 */
const OPTIONS: MarkdownToJSX.Options = {
  disableParsingRawHTML: true,
  disableFrontmatter: true,
  evalUnserializableExpressions: false,
  forceBlock: true,
  forceWrapper: true,
  sanitizer: (value) => safeLink(value) ?? null,
  slugify: () => '',
  overrides: {
    a: Link,
    img: ImageLink,
    pre: CodeBlock,
    table: WideTable,
    input: TaskBox,
    // Of one rank, below the title of the chat; without ids: a heading could take the name of something that belongs to the page.
    ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, Heading])),
  },
};

interface MarkdownTextProps {
  readonly text: string;
  /** It is being written: more comes at its end. */
  readonly isLive?: boolean;
}

export const MarkdownText = memo(function MarkdownText({ text, isLive = false }: MarkdownTextProps) {
  return (
    <GrowingText value={isLive ? text : undefined}>
      <div className="markdown">
        <Markdown options={OPTIONS}>{text}</Markdown>
      </div>
    </GrowingText>
  );
});

function Link({ href, children }: { readonly href?: string; readonly children?: ReactNode }) {
  const target = safeLink(href);
  if (target === undefined) return <span>{children}</span>;
  return (
    <a href={target} target="_blank" rel="noopener noreferrer" title={target}>
      {children}
    </a>
  );
}

function ImageLink({ src, alt }: { readonly src?: string; readonly alt?: string }) {
  return (
    <Link
      {...(src === undefined ? {} : { href: src })}
    >{`Image: ${alt === undefined || alt === '' ? (src ?? 'without an address') : alt}`}</Link>
  );
}

function Heading({ children }: { readonly children?: ReactNode }) {
  return <h2>{children}</h2>;
}

/** A task in a list: nobody can tick it. */
function TaskBox({ checked }: { readonly checked?: boolean }) {
  return (
    <span role="img" aria-label={checked === true ? 'Done' : 'To do'}>
      {checked === true ? '☑' : '☐'}
    </span>
  );
}

function WideTable({ children }: { readonly children?: ReactNode }) {
  return (
    <div className="wide-table" tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  );
}

import { CLAIM, type CallView, type DiffLine, type Hunk, SIGNS } from 'responses-loop-example-shared/call-view.js';

/** A call, whole: nothing of it is cut, and what is seen is made of data. */
export function CallBody({ blocks }: Pick<CallView, 'blocks'>) {
  return blocks.map((block, at) => {
    switch (block.kind) {
      case 'command':
        return <Exact key={at} label="Command" text={block.text} isCommand />;
      case 'arguments':
        return block.text === '{}' ? null : <Exact key={at} label="Input" text={block.text} />;
      case 'difference':
        return <Difference key={at} path={block.path} hunks={block.hunks} />;
      case 'claim':
        return <Claim key={at} text={block.text} />;
    }
  });
}

/** The model's own words, marked as such: they are no part of what runs. */
export function Claim({ text }: { readonly text: string }) {
  return (
    <p className="claim">
      {CLAIM}
      <q>{text.slice(1, -1)}</q>
    </p>
  );
}

interface ExactProps {
  readonly label: string;
  readonly text: string;
  readonly isCommand?: boolean;
}

function Exact({ label, text, isCommand = false }: ExactProps) {
  return (
    <figure className={isCommand ? 'block command exact' : 'block exact'}>
      <figcaption>{label}</figcaption>
      <pre>{text}</pre>
    </figure>
  );
}

function Difference({ path, hunks }: { readonly path: string; readonly hunks: readonly Hunk[] }) {
  return (
    <figure className="block difference exact">
      <figcaption>{path}</figcaption>
      {hunks.map((lines, at) => (
        <pre key={at}>{lines.map(lineOf)}</pre>
      ))}
      {hunks.length === 0 && <p className="hint">The file is empty.</p>}
    </figure>
  );
}

function lineOf({ kind, text, before, after }: DiffLine, at: number) {
  return (
    <span key={at} className={kind}>
      <span className="line-number">{after ?? before}</span>
      {`${SIGNS[kind]} ${text}\n`}
    </span>
  );
}

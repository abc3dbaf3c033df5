import {
  type CallBlock,
  CLAIM,
  type CallView,
  countsOf,
  type DiffLine,
  FATES,
  SIGNS,
} from 'responses-loop-example-shared/call-view.js';

/** A call, whole: nothing of it is cut, and what is seen is made of data. */
export function CallBody({ blocks }: Pick<CallView, 'blocks'>) {
  return blocks.map((block, at) => {
    switch (block.kind) {
      case 'command':
        return <Exact key={at} label="Command" text={block.text} isCommand />;
      case 'arguments':
        return block.text === '{}' ? null : <Exact key={at} label="Input" text={block.text} />;
      case 'difference':
        return <Difference key={at} {...block} />;
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

function Difference({ path, fate, note, hunks }: Extract<CallBlock, { kind: 'difference' }>) {
  const empty = note === undefined && (fate === 'changed' ? 'Nothing in it changes.' : 'The file is empty.');
  return (
    <figure className="block difference exact">
      <figcaption>
        {fate !== undefined && <span className="fate">{FATES[fate]} </span>}
        <span className="path">{path}</span>
        {fate !== undefined && hunks.length > 0 && <span className="counts"> {countsOf(hunks)}</span>}
      </figcaption>
      {note !== undefined && <p className="hint">{note}</p>}
      {hunks.map((lines, at) => (
        <pre key={at}>{lines.map(lineOf)}</pre>
      ))}
      {hunks.length === 0 && empty !== false && <p className="hint">{empty}</p>}
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

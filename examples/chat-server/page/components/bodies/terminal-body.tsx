import { useMemo } from 'react';
import { ansiPieces } from '../../lib/ansi.js';
import { stringIn } from '../../lib/parts.js';
import type { ToolBodyProps } from '../../lib/tool-bodies.js';

/** What is shown of a longer output: its end tells how it went. */
const MAX_CHARS = 20_000;

/** What a command printed, in its colours. */
export default function TerminalBody({ part }: ToolBodyProps) {
  const output = stringIn(part.output, 'output') ?? '';
  const hidden = Math.max(0, output.length - MAX_CHARS);
  const pieces = useMemo(() => ansiPieces(afterLine(output, hidden)), [output, hidden]);
  return (
    <figure className="block terminal">
      <figcaption>Output</figcaption>
      {hidden > 0 && <p className="hint">{hidden.toLocaleString('en')} characters before this are not shown</p>}
      <pre tabIndex={0}>
        {output === ''
          ? '(nothing)'
          : pieces.map(({ text, classes }, at) =>
              classes === '' ? (
                text
              ) : (
                <span key={at} className={classes}>
                  {text}
                </span>
              ),
            )}
      </pre>
    </figure>
  );
}

/** From a whole line on, so that no colour is cut in two. */
function afterLine(text: string, from: number): string {
  return from === 0 ? text : text.slice(text.indexOf('\n', from) + 1 || from);
}

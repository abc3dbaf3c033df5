import { languageOf } from '../../lib/code/grammars.js';
import { useTokens } from '../../lib/code/use-tokens.js';
import { stringIn } from '../../lib/parts.js';
import type { ToolBodyProps } from '../../lib/tool-bodies.js';
import { Tokens } from '../tokens.js';

/** What the model read of a file, in the colours of its language. */
export default function FileBody({ part }: ToolBodyProps) {
  const path = stringIn(part.input, 'path') ?? '';
  const text = stringIn(part.output, 'content') ?? '';
  const tokens = useTokens(text, languageOf(path.slice(path.lastIndexOf('.') + 1)), false);
  return (
    <figure className="block">
      <figcaption>Output</figcaption>
      <pre tabIndex={0}>{text === '' ? '(nothing)' : <Tokens tokens={tokens} />}</pre>
    </figure>
  );
}

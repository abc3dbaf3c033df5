import type { Token } from '../lib/code/tokens.js';

/** Code in the colours of the palette. */
export function Tokens({ tokens }: { readonly tokens: readonly Token[] }) {
  return tokens.map(({ text, kind }, at) =>
    kind === undefined ? (
      text
    ) : (
      <span key={at} className={`token ${kind}`}>
        {text}
      </span>
    ),
  );
}

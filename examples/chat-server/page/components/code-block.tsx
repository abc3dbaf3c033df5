import { createContext, isValidElement, type ReactNode, useContext, useState } from 'react';
import { copyText } from '../lib/clipboard.js';
import { languageOf } from '../lib/code/grammars.js';
import { useTokens } from '../lib/code/use-tokens.js';
import { Tokens } from './tokens.js';

/** The text that is being written, with the code at its end. */
export const GrowingText = createContext<string | undefined>(undefined);

/** A fence of Markdown: its language, what can be done with it, and the code. */
export function CodeBlock({ children }: { readonly children?: ReactNode }) {
  const { code, name } = codeOf(children);
  const text = useContext(GrowingText);
  const [isWrapped, setIsWrapped] = useState(false);
  const isGrowing = text?.trimEnd().endsWith(code.trimEnd()) === true;
  const tokens = useTokens(code, languageOf(name), isGrowing);
  return (
    <div className={isWrapped ? 'code wrapped' : 'code'}>
      <div className="code-bar">
        <span className="code-language">{name === '' ? 'text' : (languageOf(name) ?? name)}</span>
        <button
          type="button"
          className="quiet small"
          aria-pressed={isWrapped}
          onClick={() => setIsWrapped((is) => !is)}
        >
          Wrap
        </button>
        <CopyCode code={code} />
      </div>
      <pre tabIndex={0}>
        <code>
          <Tokens tokens={tokens} />
        </code>
      </pre>
    </div>
  );
}

function CopyCode({ code }: { readonly code: string }) {
  const [isCopied, setIsCopied] = useState(false);
  return (
    <button
      type="button"
      className="quiet small"
      onClick={() => void copyText(code).then(() => setIsCopied(true))}
      onBlur={() => setIsCopied(false)}
    >
      {isCopied ? 'Copied' : 'Copy code'}
    </button>
  );
}

/** What a `pre` of Markdown holds: a `code` with a text, and a class that names the language. */
function codeOf(children: ReactNode): { readonly code: string; readonly name: string } {
  if (!isValidElement<{ readonly className?: string; readonly children?: unknown }>(children)) {
    return { code: typeof children === 'string' ? children : '', name: '' };
  }
  const { className = '', children: code } = children.props;
  const name = /(?:^|\s)language-(?<name>\S{1,40})/.exec(className)?.groups?.['name'] ?? '';
  return { code: typeof code === 'string' ? code : '', name };
}

import { useEffect, useRef, useState } from 'react';
import { nextCut } from './growing.js';
import { highlight } from './highlight.js';
import type { Token } from './tokens.js';

interface Highlighted {
  readonly code: string;
  readonly tokens: readonly Token[];
}

/** The tokens of a code, those not known yet as one plain token. */
export function useTokens(code: string, language: string | undefined, isGrowing: boolean): readonly Token[] {
  const [found, setFound] = useState<Highlighted>();
  const done = useRef('');
  useEffect(() => {
    if (language === undefined) return;
    const isSame = code.startsWith(done.current);
    const cut = nextCut(code, isSame ? done.current.length : 0, isGrowing);
    if (cut === undefined) return;
    const part = code.slice(0, cut);
    done.current = part;
    void highlight(part, language).then((tokens) => {
      if (tokens !== undefined) setFound({ code: part, tokens });
    });
  }, [code, language, isGrowing]);
  if (found === undefined || !code.startsWith(found.code)) return [plain(code)];
  const rest = code.slice(found.code.length);
  return rest === '' ? found.tokens : [...found.tokens, plain(rest)];
}

function plain(text: string): Token {
  return { text, kind: undefined };
}

import { lazy } from '../util/lazy.js';

const NON_LATIN = /[^\p{Script=Latin}\p{M}\p{N}]/u;

/** Finds words in scripts without spaces. Browsers before 2024 may lack it. */
const segmenter = lazy(() =>
  typeof Intl.Segmenter === 'function' ? new Intl.Segmenter(undefined, { granularity: 'word' }) : undefined,
);

/**
 * Returns the words of a text or name, in lower case: `createIssue`, `create_issue` and `create.issue` have the words `create`
 * and `issue`, and the first also itself.
 */
export function splitWords(text: string): string[] {
  const runs = text.normalize('NFKC').split(/[^\p{L}\p{M}\p{N}]+/u);
  return runs.flatMap((run) =>
    (NON_LATIN.test(run) ? segmentsOf(run) : humpsOf(run)).map((word) => word.toLowerCase()),
  );
}

/** Returns the parts of a name and the whole of it; nothing for an empty one. */
function humpsOf(run: string): readonly string[] {
  const apart = run
    .replaceAll(/([\p{Ll}\p{M}])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll(/([\p{L}\p{M}])(\p{N})/gu, '$1 $2')
    .replaceAll(/(\p{N})(\p{L})/gu, '$1 $2')
    .split(' ');
  return apart.length > 1 ? [...apart, run] : run === '' ? [] : [run];
}

function segmentsOf(run: string): readonly string[] {
  const words = segmenter()?.segment(run);
  return words === undefined ? [run] : [...words].map(({ segment }) => segment);
}

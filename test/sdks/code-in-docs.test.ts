import { describe, expect, it } from 'vitest';
import { withDeclarations } from '../docs/support/not-installed.js';
import { DOCS, programsOf, README } from '../docs/support/pages.js';
import { typeErrors } from '../helpers/type-errors.js';
import { sdk, spec } from './support/sdk.js';

/** The stock provider for each SDK. */
const STOCK = {
  5: 'node_modules/@ai-sdk/openai',
  6: 'test/sdks/node_modules/openai-3',
  7: 'test/sdks/node_modules/openai-4',
};
const NATIVE = { 5: 'v2', 6: 'v3', 7: 'v4' } as const;
const entry = spec === 'v2' ? 'src/index.ts' : `src/${spec}.ts`;

describe.runIf(NATIVE[sdk] === spec)('the code in README and docs', () => {
  it('compiles with this AI SDK', { timeout: 240_000 }, () => {
    const blocks = [README, ...DOCS].flatMap((page) =>
      programsOf(page).map((code, at): [string, string] => [`${page.path.replaceAll(/\W/g, '-')}-${at}`, code]),
    );
    const packages = {
      '@ai-sdk/openai': STOCK[sdk],
      ai: `test/sdks/node_modules/ai-${sdk}`,
      'responses-loop': entry,
      'responses-loop/ai5': entry,
      'responses-loop/ai6': entry,
      'responses-loop/ai7': entry,
    };
    expect(blocks.length).toBeGreaterThan(40);
    expect(typeErrors(withDeclarations(new Map(blocks)), packages)).toEqual([]);
  });
});

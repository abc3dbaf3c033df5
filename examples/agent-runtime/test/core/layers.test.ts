import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const source = (folder: string): string => fileURLToPath(new URL(`../../src/${folder}/`, import.meta.url));

function importsOf(folder: string): { readonly file: string; readonly from: string }[] {
  return readdirSync(source(folder)).flatMap((file) => {
    const text = readFileSync(source(folder) + file, 'utf8');
    const found = text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g);
    return [...found].map(([, from = '']) => ({ file, from }));
  });
}

test('the core imports only itself and the types', () => {
  const foreign = importsOf('core').filter(({ from }) => !/^\.\/[^/]+$|^\.\.\/types\/[^/]+$/.test(from));
  expect(importsOf('core').length).toBeGreaterThan(20);
  expect(foreign).toEqual([]);
});

test('the types import only each other, and hold nothing that runs', () => {
  expect(importsOf('types').filter(({ from }) => !/^\.\/[^/]+$/.test(from))).toEqual([]);
  for (const file of readdirSync(source('types'))) {
    expect(readFileSync(source('types') + file, 'utf8'), file).not.toMatch(
      /^(export )?(const|let|class|function|async) /m,
    );
  }
});

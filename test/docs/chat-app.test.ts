import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codeOf, readPage } from './support/pages.js';

/** In the order in which the page shows them. */
const FILES = [
  'app/api/chat/route.ts',
  'app/page.tsx',
  'app/tool-card.tsx',
  'server/hono.ts',
  'server/express.ts',
  'server/worker.ts',
];

it('shows the files of the example as they are, which Chromium has tried', () => {
  const shown = codeOf(readPage('docs/chat-app.md'), 'ts', 'tsx');
  expect(shown).toEqual(FILES.map((file) => readFileSync(`examples/chat-app/${file}`, 'utf8')));
});

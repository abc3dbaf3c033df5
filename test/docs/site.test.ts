import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiText } from '../../.ci/docs/api-text.mjs';
import { homeText } from '../../.ci/docs/home.mjs';
import { llmsText } from '../../.ci/docs/llms-text.mjs';
import { sidebarOf } from '../../.ci/docs/sidebar.mjs';
import * as node from '../../src/node.js';
import * as question from '../../src/question.js';
import * as testing from '../../src/testing.js';
import * as v3 from '../../src/v3.js';

describe('the site of the documentation', () => {
  // Reads every type of the package.
  it('has a reference of every export, with its declaration and its comment', { timeout: 240_000 }, () => {
    const text = apiText();
    const values = [v3, node, testing, question].flatMap((entry) => Object.keys(entry));
    expect(values.filter((name) => !text.includes(`\n### ${name}\n`))).toEqual([]);
    expect(text).toContain('function tokenBudget(tokens: number): StopCondition;');
    expect(text).toContain('\n### McpServers\n');
    expect(text).not.toMatch(/```ts\n\s*```/);
  });

  it('begins with a program for each AI SDK', () => {
    const text = homeText('docs', { name: 'responses-loop', description: '' });
    for (const sdk of [5, 6, 7]) {
      expect(text).toContain(`npm install responses-loop ai@${sdk}\n`);
      expect(text).toContain(`from 'responses-loop/ai${sdk}';`);
    }
  });

  it('names every page in llms.txt, with its address and the question that it answers', () => {
    const text = llmsText('docs', { title: 'responses-loop', description: '', homepage: 'https://docs.example.com' });
    const pages = readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'README.md');
    const addresses = pages.map((name) => `](https://docs.example.com/${name.replace('.md', '.html')}): `);
    expect(addresses.filter((address) => !text.includes(address))).toEqual([]);
    expect(text).not.toMatch(/\): *$/m);
  });

  it('has three shelves', () => {
    const shelves = sidebarOf('docs/README.md').map(({ text }) => text.split(':')[0]);
    expect([...new Set(shelves)]).toEqual(['Start', 'Guides', 'Reference']);
  });
});

import { expect, it } from 'vitest';
import { markdownOf } from '../markdown-of.js';

const table = (span: string): string =>
  `<table><thead><tr><th colspan=${span}>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>`;

it.each(['120000000', '"1e9"', "'&#49;20000000'", 'Infinity'])(
  'a cell that wants to be %s columns wide has as many as HTML allows',
  (span) => {
    expect(markdownOf(table(span)).split('\n')[0]?.split(' | ').length).toBeLessThanOrEqual(1_001);
  },
);

it.each(['', '0', '-5', 'x', '"2"'])('a table keeps its cells with a span of %j', (span) => {
  const [head] = markdownOf(table(span === '' ? '""' : span)).split('\n');
  expect(head).toMatch(/^\| a +\|/);
});

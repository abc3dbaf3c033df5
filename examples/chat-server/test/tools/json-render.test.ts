import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonRender } from '../../src/tools/json-render.js';

const parse = (...view: readonly unknown[]) => jsonRender.inputSchema.safeParse({ view });
const problem = (...view: readonly unknown[]): string => parse(...view).error?.issues[0]?.message ?? 'none';

const TABLE = { type: 'table', columns: ['duck', 'eggs'], rows: [['Ada', 3]] };

describe('jsonRender', () => {
  it('takes cards, lists, tables, figures and texts', async () => {
    const blocks = [
      TABLE,
      { type: 'list', items: ['one'] },
      { type: 'stat', label: 'Eggs', value: 3 },
      { type: 'text', text: '<b>plain</b>' },
    ];
    const { success, data } = parse({ type: 'card', title: 'Ducks', children: blocks }, ...blocks);
    expect(success).toBe(true);
    const run = { toolCallId: 'c', signal: new AbortController().signal };
    expect(await jsonRender.execute(data, run)).toEqual({ ok: true, shown: 5 });
  });

  it('refuses any other kind, and says which there are', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('html', 'form', 'iframe', '__proto__')), (type) => {
        fc.pre(!['card', 'list', 'table', 'stat', 'text'].includes(type));
        expect(problem({ type, html: '<b>' })).toContain('There are card, list, table, stat and text');
      }),
    );
    const inner = { type: 'card', title: 'x', children: [{ type: 'card', title: 'y', children: [] }] };
    expect(problem(inner)).toContain('no other kind');
  });

  it('refuses fields that no kind has, rows that do not fit, and nothing at all', () => {
    expect(problem({ type: 'text', text: 'x', onClick: 'alert(1)' })).toContain('onClick');
    expect(problem({ ...TABLE, rows: [['Ada']] })).toBe('each row needs as many cells as there are columns');
    expect(parse().success).toBe(false);
  });
});

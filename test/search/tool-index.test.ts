import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolIndex } from '../../src/search/tool-index.js';
import { namesOf, toolsetOf } from './support/tools.js';

const crm = {
  crm_find_customer: {
    description: 'Finds a customer by name or e-mail address.',
    inputSchema: { type: 'object', properties: { email: { type: 'string', description: 'Where we write to.' } } },
  },
  crm_create_invoice: { description: 'Writes an invoice for a customer.' },
  createIssue: { description: 'Reports a defect in the tracker.' },
  'files.read': { description: 'Reads a file.', inputSchema: { type: 'object', properties: { maxLines: {} } } },
  nachname_ändern: { description: 'Ändert den Nachnamen einer Person.' },
  search_orders_ja: { description: '顧客の注文を検索する' },
};

const find = async (query: string, limit = 5): Promise<string[]> => {
  const { tools } = await toolsetOf(crm);
  return namesOf({ tools: (await ToolIndex.of(tools)).find(query, limit) });
};

describe('tools are found', () => {
  it.each([
    ['by words of the description', 'report a defect', 'createIssue'],
    ['by words of a name in camel case', 'issue', 'createIssue'],
    ['by words of a name in snake case', 'invoice create', 'crm_create_invoice'],
    ['by a name of its source that is not legal for the model', 'files.read', 'files_read'],
    ['by the name of a parameter', 'lines', 'files_read'],
    ['by the description of a parameter', 'write', 'crm_find_customer'],
    ['by the beginning of a word', 'invoic', 'crm_create_invoice'],
    ['by another form of a word', 'customers', 'crm_find_customer'],
    ['in spite of a typing error', 'custmer', 'crm_find_customer'],
    ['in another language', 'NACHNAMEN', 'nachname__ndern'],
    ['by a word of a script without spaces', '注文', 'search_orders_ja'],
    ['by a part of a word that no dictionary has', '客の', 'search_orders_ja'],
    ['by a part of a word', 'stome', 'crm_find_customer'],
  ])('%s: %s', async (_how, query, name) => {
    expect(await find(query)).toContain(name);
  });

  it('by their exact names first, in the order in which the query has them', async () => {
    expect(await find('createIssue, crm_create_invoice')).toEqual(
      expect.arrayContaining(['createIssue', 'crm_create_invoice']),
    );
    expect((await find('CREATEISSUE, crm_find_customer customer')).slice(0, 2)).toEqual([
      'createIssue',
      'crm_find_customer',
    ]);
  });

  it('no more of them than asked for, and none for what has nothing to do with them', async () => {
    expect(await find('customer', 1)).toHaveLength(1);
    expect(await find('zzzz')).toEqual([]);
    expect(await find('')).toEqual([]);
    expect(await find('?!')).toEqual([]);
  });

  it('each by its exact name, as the first, whatever names there are', async () => {
    const name = fc.oneof(
      fc.stringMatching(/^[a-z]{1,3}(_[a-z]{1,3}){0,2}$/),
      fc.stringMatching(/^[a-z]{1,4}[A-Z][a-z]{0,3}$/),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    );
    const texts = fc.dictionary(name, fc.string({ maxLength: 20 }), { minKeys: 1, maxKeys: 12, noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(texts, async (described) => {
        const entries = Object.entries(described).map(([key, description]) => [key, { description }] as const);
        const { tools } = await toolsetOf(Object.fromEntries(entries));
        const index = await ToolIndex.of(tools);
        for (const { declaration } of tools) {
          expect(index.find(declaration.name, 1)[0]?.declaration.name).toBe(declaration.name);
        }
      }),
    );
  });
});

it('an index serves other lists of the same tools, and no others', async () => {
  const { tools } = await toolsetOf(crm);
  const index = await ToolIndex.of(tools);
  expect(index.isOf([...tools])).toBe(true);
  expect(index.isOf(tools.slice(1))).toBe(false);
  expect(index.isOf((await toolsetOf(crm)).tools)).toBe(false);
});

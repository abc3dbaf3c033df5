import { z } from 'zod';
import { actionName } from './action-name.js';
import { defineTool } from './tool-def.js';

const words = z.string().max(4000);
const cell = z.union([words, z.number(), z.boolean(), z.null()]);
const KINDS = 'There are card, list, table, stat and text, and no other kind; none takes HTML';

const text = z.strictObject({ type: z.literal('text'), text: words });
const list = z.strictObject({
  type: z.literal('list'),
  isOrdered: z.boolean().optional(),
  items: z.array(words).min(1).max(200),
});
const stat = z.strictObject({
  type: z.literal('stat'),
  label: words,
  value: z.union([words, z.number()]),
  note: words.optional(),
});
const table = z
  .strictObject({
    type: z.literal('table'),
    caption: words.optional(),
    columns: z.array(words).min(1).max(30),
    rows: z.array(z.array(cell).max(30)).max(500),
  })
  .refine(({ columns, rows }) => rows.every((row) => row.length === columns.length), {
    path: ['rows'],
    error: 'each row needs as many cells as there are columns',
  });
/** What a card may hold: no cards, so that no view is deeper than a person can read. */
const block = z.discriminatedUnion('type', [text, list, stat, table], { error: KINDS });
const card = z.strictObject({ type: z.literal('card'), title: words, children: z.array(block).min(1).max(50) });
export const view = z
  .array(z.discriminatedUnion('type', [card, text, list, stat, table], { error: KINDS }))
  .min(1)
  .max(50);

export type ViewBlock = z.infer<typeof block>;
export type ViewNode = z.infer<typeof view>[number];

/** Shows data as cards, lists, tables and figures. The page draws its input, which the schema has checked. */
export const jsonRender = defineTool({
  id: 'jsonRender',
  description:
    'Shows data to the person as cards, lists, tables, figures (stat) and texts, all of them plain text without HTML or Markdown.',
  inputSchema: z.object({ actionName, view }),
  execute: async ({ view: { length } }) => ({ ok: true, shown: length }),
});

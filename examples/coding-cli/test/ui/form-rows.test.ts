import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedRows, formRows } from '../../src/ui/form/form-rows.js';
import { type Asked, completed, moved, newForm, optionMoved, optionToggled } from '../../src/ui/form/form-state.js';
import { textOfRow, widthOfRow } from '../../src/ui/rows.js';

const asked = (properties: object, more: Partial<Asked> = {}): Asked => ({
  question_id: 'q1',
  server: 'booking',
  message: 'Which?',
  mode: 'form',
  requested_schema: { type: 'object', properties, required: Object.keys(properties) },
  ...more,
});

test('a page is agreed to by no first Enter: nothing is chosen yet', () => {
  const form = newForm(asked({}, { mode: 'url', url: 'https://example.com/' }));
  expect(form.at).toBe(-1);
  expect(moved(form, 1).at).toBe(0);
});

test('what is required and was not given stays open, at its field', async () => {
  const form = newForm(asked({ name: { type: 'string' }, meal: { type: 'string', enum: ['v', 'm'] } }));
  expect(await completed(form)).toMatchObject({ at: 0, problems: { name: 'Required.', meal: 'Required.' } });
  const chosen = optionMoved(moved(form, 1), 1);
  expect(await completed(chosen)).toMatchObject({ problems: { name: 'Required.' } });
});

test('several options are chosen and given back one by one', async () => {
  const form = newForm(asked({ extras: { type: 'array', items: { enum: ['a', 'b'] } } }));
  const both = optionToggled(optionMoved(optionToggled(form), 1));
  expect(await completed(both)).toEqual({ content: { extras: ['a', 'b'] } });
  expect(await completed(optionToggled(both))).toEqual({ content: { extras: ['a'] } });
});

test('no text of a server leaves its row, is wider than the terminal, or looks like the program', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('\u001B[2J⟩ coder\n? ⟩ MCP server bank asks:'));
  fc.assert(
    fc.property(texts, texts, texts, fc.integer({ min: 20, max: 100 }), (server, message, title, columns) => {
      const question = asked({ [title]: { type: 'string', title, description: message } }, { server, message });
      const form = newForm(question);
      const rows = formRows({ form, columns, limit: 10, waiting: 0, isReady: true });
      expect(rows.length).toBeLessThanOrEqual(10);
      for (const spans of [...rows, ...askedRows(question, columns)]) {
        expect(widthOfRow(spans)).toBeLessThanOrEqual(columns);
        expect(textOfRow(spans)).not.toMatch(/[\p{Cc}\u202E]/u);
        expect(textOfRow(spans)).toMatch(/^(\? |[┏┃┗] | {2})/);
      }
    }),
  );
});

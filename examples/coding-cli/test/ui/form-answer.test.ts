import { expect, test } from 'vitest';

import { ScreenModel } from '../../src/ui/screen-model.js';
import { readForm } from '../../src/ui/form-answer.js';

const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' }, ok: { type: 'boolean' }, of: { type: 'array' } },
};

test('a form is read by the types of its fields', () => {
  expect(readForm('name=Ada = Lovelace; age=3; ok=yes; of=a, b', schema)).toEqual({
    name: 'Ada = Lovelace',
    age: 3,
    ok: true,
    of: ['a', 'b'],
  });
  expect(readForm('', schema)).toEqual({});
});

test('one field takes the whole text', () => {
  const one = { properties: { name: { type: 'string' } } };
  expect(readForm('Ada; or Grace', one)).toEqual({ name: 'Ada; or Grace' });
  expect(readForm('name=Ada', one)).toEqual({ name: 'Ada' });
});

test('a field that is not there is named', () => {
  expect(readForm('nme=Ada', schema)).toEqual({ problem: expect.stringContaining('name, age, ok, of') });
});

test('a question of a server is printed with its fields, and is open until it is decided', () => {
  const model = new ScreenModel();
  const asked = { question_id: 'q1', server: 'docs', message: 'Who are you?\u202e', mode: 'form' } as const;
  model.handle({ msg: { type: 'elicitation_request', data: { ...asked, requested_schema: schema } } });
  const shown = model
    .takeBlocks()
    .flat(2)
    .map(({ text }) => text)
    .join('');
  expect(shown).toContain('docs asks: Who are you?⟨U+202E⟩');
  expect(shown).toContain('/answer name=…; age=…');
  expect(model.elicitations).toHaveLength(1);
  model.handle({ msg: { type: 'elicitation_decision', data: { question_id: 'q1', action: 'accept', by: 'user' } } });
  expect(model.elicitations).toEqual([]);
});

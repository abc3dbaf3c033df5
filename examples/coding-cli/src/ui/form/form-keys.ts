import type { Controller } from '../controller.js';
import type { Key } from '../keys.js';
import { ANSWERS, completed, type FormState, moved, optionMoved, optionsOf, optionToggled } from './form-state.js';

type Change = (form: FormState) => FormState;

/** What keys do in every field. */
const MOVES: Readonly<Record<string, Change>> = {
  tab: (form) => moved(form, 1),
  down: (form) => moved(form, 1),
  backtab: (form) => moved(form, -1),
  up: (form) => moved(form, -1),
};

/** What they do in a field with options. */
const CHOOSES: Readonly<Record<string, Change>> = {
  left: (form) => optionMoved(form, -1),
  right: (form) => optionMoved(form, 1),
  space: optionToggled,
};

/** Whether the key was for the form itself; what is left is for the text of its field. */
export function pressInForm(controller: Controller, form: FormState, name: string, key: Key): boolean {
  const field = form.fields[form.at];
  if (name === 'escape') return answer(controller, form, 'cancel', key);
  if (name === 'return') return enter(controller, form, key);
  const isText = field !== undefined && optionsOf(field).length === 0;
  const change = MOVES[name] ?? (isText ? undefined : CHOOSES[name]);
  if (change !== undefined) controller.forms.put(change(form));
  return change !== undefined || !isText;
}

function enter(controller: Controller, form: FormState, key: Key): boolean {
  const action = ANSWERS[form.at - form.fields.length];
  if (action !== undefined) return answer(controller, form, action, key);
  controller.forms.put(moved(form, 1));
  return true;
}

function answer(controller: Controller, form: FormState, action: 'accept' | 'decline' | 'cancel', key: Key): true {
  const { question_id: id } = form.asked;
  const done = action === 'accept' ? completed(form) : { content: undefined };
  if ('form' in done) {
    controller.forms.put(done.form);
    return true;
  }
  const content = done.content === undefined ? {} : { content: done.content };
  controller.submit({ type: 'elicitation_answer', question_id: id, action, ...content });
  controller.model.forgetAsked(id);
  controller.answers.answered(key);
  return true;
}

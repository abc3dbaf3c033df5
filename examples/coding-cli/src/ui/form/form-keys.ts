import type { ElicitationAnswer } from '../../protocol/submissions.js';
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
  if (name === 'escape') return answer(controller, form, { action: 'cancel' }, key);
  if (name === 'return') return enter(controller, form, key);
  const isText = field !== undefined && optionsOf(field).length === 0;
  const change = MOVES[name] ?? (isText ? undefined : CHOOSES[name]);
  if (change !== undefined) controller.forms.put(change(form));
  return change !== undefined || !isText;
}

function enter(controller: Controller, form: FormState, key: Key): boolean {
  const action = ANSWERS[form.at - form.fields.length];
  if (action === 'accept') {
    void accept(controller, form, key);
    return true;
  }
  if (action !== undefined) return answer(controller, form, { action }, key);
  controller.forms.put(moved(form, 1));
  return true;
}

/** The check of a pattern takes a moment: the form may be answered otherwise meanwhile. */
async function accept(controller: Controller, form: FormState, key: Key): Promise<void> {
  const done = await completed(form);
  const { form: shown } = controller;
  if (shown?.asked.question_id !== form.asked.question_id) return;
  if ('problems' in done) controller.forms.put({ ...shown, ...done });
  else answer(controller, form, { action: 'accept', content: done.content }, key);
  controller.refresh();
}

function answer(
  controller: Controller,
  { asked: { question_id: id } }: FormState,
  given: Pick<ElicitationAnswer, 'action' | 'content'>,
  key: Key,
): true {
  controller.submit({ type: 'elicitation_answer', question_id: id, ...given });
  controller.model.forgetAsked(id);
  controller.answers.answered(key);
  return true;
}

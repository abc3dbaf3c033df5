import {
  editOutside,
  editPlan,
  endSearch,
  goBack,
  broughtBy,
  pasted,
  pasteImage,
  search,
  switchMode,
  takeBack,
  unfold,
} from './actions.js';
import type { Controller } from './controller.js';
import { pressInForm } from './form/form-keys.js';
import { type FormState, withLine } from './form/form-state.js';
import type { Key } from './keys.js';
import * as edit from './line-editor.js';
import { inOneLine, pastedText } from './plain-text.js';
import { runCommand, showKeys } from './slash-commands.js';

type Binding = (controller: Controller) => void;

const editing =
  (change: edit.LineEdit): Binding =>
  (controller) => {
    controller.line = change(controller.line);
  };

/** What keys do in the input, by their names; `C-` is Ctrl, `M-` is Alt. */
const EDITS: Readonly<Record<string, Binding>> = {
  left: editing(edit.left),
  right: editing(edit.right),
  home: editing(edit.toStart),
  end: editing(edit.toEnd),
  backspace: editing(edit.deleteLeft),
  delete: editing(edit.deleteRight),
  'C-b': editing(edit.left),
  'C-f': editing(edit.right),
  'C-a': editing(edit.toStart),
  'C-e': editing(edit.toEnd),
  'C-u': editing(edit.killToStart),
  'C-k': editing(edit.killToEnd),
  'C-w': editing(edit.killWord),
  'C-h': editing(edit.deleteLeft),
  'M-b': editing(edit.wordLeft),
  'M-f': editing(edit.wordRight),
  'M-backspace': editing(edit.killWord),
  'C-left': editing(edit.wordLeft),
  'C-right': editing(edit.wordRight),
  'M-left': editing(edit.wordLeft),
  'M-right': editing(edit.wordRight),
  enter: editing(edit.insert('\n')),
  'C-j': editing(edit.insert('\n')),
  'M-return': editing(edit.insert('\n')),
  up: (controller) => {
    if (controller.menu.isOpen) controller.menu.move(-1);
    else if (controller.line.text === '' && controller.model.waiting.size > 0) takeBack(controller);
    else controller.line = edit.up(controller.line) ?? controller.history.older(controller.line);
  },
  down: (controller) => {
    if (controller.menu.isOpen) controller.menu.move(1);
    else controller.line = edit.down(controller.line) ?? controller.history.newer(controller.line);
  },
};

const COMPOSING: Readonly<Record<string, Binding>> = {
  ...EDITS,
  return: send,
  tab: (controller) => {
    const { menu } = controller;
    if (menu.current === undefined) menu.move(1);
    controller.line = menu.current?.line ?? controller.line;
  },
  escape: (controller) => {
    if (controller.searching !== undefined) endSearch(controller, controller.searching);
    else if (controller.menu.isOpen) controller.menu.close(controller.line);
    else if (controller.isBusy) controller.interrupt();
    else if (controller.line.text === '') goBack(controller);
  },
  backtab: switchMode,
  'C-r': search,
  'C-v': (controller) => void pasteImage(controller),
  'C-g': (controller) => void editOutside(controller),
  'C-x': (controller) => {
    controller.chord = 'C-x';
  },
  'C-x C-e': (controller) => void editOutside(controller),
  'C-o': (controller) => void unfold(controller),
  'C-c': (controller) => controller.stopOrLeave(),
  'C-d': (controller) => {
    if (controller.line.text === '') controller.leave(0);
    else controller.line = edit.deleteRight(controller.line);
  },
};

const CHOOSING: Readonly<Record<string, Binding>> = {
  y: (controller) => controller.answer('approved'),
  s: (controller) => answerForLonger(controller, 'approved_for_session'),
  a: (controller) => answerForLonger(controller, 'approved_always'),
  n: (controller) => {
    controller.dialog = { type: 'reason', line: edit.EMPTY_LINE };
  },
  e: (controller) => void editPlan(controller),
  escape: (controller) => controller.answer('abort'),
  'C-c': (controller) => controller.stopOrLeave(),
  'C-d': (controller) => controller.leave(0),
};

const REASONING: Readonly<Record<string, Binding>> = {
  return: (controller) => {
    controller.answer('denied', controller.dialog.type === 'reason' ? controller.dialog.line.text.trim() : '');
  },
  escape: (controller) => {
    controller.dialog = { type: 'choose' };
  },
  'C-c': (controller) => controller.stopOrLeave(),
};

/** One key, from the terminal to what it does. */
export function press(controller: Controller, key: Key): void {
  const { view, form } = controller;
  if (nameOf(key) !== 'C-c') controller.disarm();
  if (nameOf(key) !== 'escape') controller.goingBack.forget();
  if (form !== undefined && controller.answers.canFill(form.asked.question_id)) fillIn(controller, form, key);
  else if (view === undefined) compose(controller, key);
  else if (view.mode.type === 'reason') giveReason(controller, key);
  else if (controller.answers.isRepeated(key)) return;
  else if (controller.answers.canAnswer(view)) choose(controller, key);
  else compose(controller, key);
  controller.refresh();
}

function choose(controller: Controller, key: Key): void {
  const binding = CHOOSING[nameOf(key).toLowerCase()];
  if (binding === undefined) return;
  const { view } = controller;
  binding(controller);
  if (controller.view?.question !== view?.question) controller.answers.answered(key);
}

function compose(controller: Controller, key: Key): void {
  const { chord } = controller;
  controller.chord = undefined;
  const binding = COMPOSING[`${chord} ${nameOf(key)}`] ?? COMPOSING[nameOf(key)];
  if (binding !== undefined) {
    binding(controller);
    return;
  }
  if (key.text === '') return;
  if (key.text === '?' && controller.line.text === '' && controller.searching === undefined) {
    showKeys(controller);
    return;
  }
  controller.answers.typed(key);
  controller.line = edit.insert(key.name === 'paste' ? pasted(controller, key.text) : key.text)(controller.line);
}

function giveReason(controller: Controller, key: Key): void {
  const binding = REASONING[nameOf(key)];
  if (binding !== undefined) {
    binding(controller);
    return;
  }
  if (controller.dialog.type !== 'reason') return;
  controller.dialog = { type: 'reason', line: editedLine(controller, controller.dialog.line, key) };
}

function fillIn(controller: Controller, form: FormState, key: Key): void {
  const name = nameOf(key);
  if (name === 'C-c') controller.stopOrLeave();
  else if (!pressInForm(controller, form, name, key))
    controller.forms.put(withLine(form, editedLine(controller, form.inputs[form.at]?.line ?? edit.EMPTY_LINE, key)));
}

/** The edits of the input, on another line that has no rows. */
function editedLine(controller: Controller, line: edit.Line, key: Key): edit.Line {
  const { line: composed } = controller;
  controller.line = line;
  const change = EDITS[nameOf(key)];
  if (change !== undefined && !['up', 'down', 'enter', 'C-j', 'M-return'].includes(nameOf(key))) change(controller);
  else if (key.text !== '') {
    const text = pastedText(key.text);
    controller.line = edit.insert(text.includes('\n') ? inOneLine(text) : text)(controller.line);
  }
  const edited = controller.line;
  controller.line = composed;
  return edited;
}

function send(controller: Controller): void {
  const { current } = controller.menu;
  if (controller.searching !== undefined) {
    endSearch(controller, current?.line ?? controller.searching);
    return;
  }
  if (current !== undefined && current.line.text.trim() !== controller.line.text.trim()) {
    controller.line = current.line;
    if (current.isWhole !== true) return;
  }
  const { line } = controller;
  if (line.text.slice(0, line.cursor).endsWith('\\')) {
    controller.line = edit.insert('\n')(edit.deleteLeft(line));
    return;
  }
  const text = line.text.trim();
  controller.answers.stoppedTyping();
  if (text === '') return;
  controller.line = edit.EMPTY_LINE;
  if (text.startsWith('!') && text.length > 1) controller.runOwn(controller.pastes.expand(text).slice(1).trim());
  else if (runCommand(controller, text)) controller.history.add(text);
  else controller.say(controller.pastes.expand(line.text), broughtBy(controller, line.text));
  controller.pastes.clear();
}

/** What the dialog does not offer, a key does not do. */
function answerForLonger(controller: Controller, decision: 'approved_for_session' | 'approved_always'): void {
  if (controller.view?.question.rule !== undefined) controller.answer(decision);
}

function nameOf({ name, text, ctrl, meta }: Key): string {
  const plain = name ?? text;
  // Readline calls an escape key a meta key, too.
  return `${ctrl ? 'C-' : ''}${meta && plain !== 'escape' ? 'M-' : ''}${plain}`;
}

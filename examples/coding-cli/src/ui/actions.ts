import { refusal } from '../attach/attach.js';
import type { Op } from '../protocol/submissions.js';
import { imageOfClipboard } from './clipboard-image.js';
import { resourcesIn } from './completion/mcp.js';
import type { Controller } from './controller.js';
import { imagePathIn, imagePathsIn } from './images.js';
import { EMPTY_LINE, insert, type Line, lineOf } from './line-editor.js';
import { nextMode } from './modes.js';
import { pastedText } from './plain-text.js';
import { planOf } from './shown-calls.js';

/** Takes the newest message that waits back into the input. */
export function takeBack(controller: Controller): void {
  const newest = [...controller.model.waiting.keys()].at(-1);
  if (newest !== undefined) controller.submit({ type: 'withdraw', submission_id: newest });
}

export function switchMode(controller: Controller): void {
  const { facts } = controller.model;
  if (facts === undefined) return;
  const { mode, approval } = nextMode(controller.engine.session, facts);
  controller.submit({ type: 'set_mode', mode, approval });
  controller.hint.show(
    mode === 'plan' ? 'plan mode: the model only reads, until you approve its plan' : `approval ${approval}`,
  );
}

/** Esc on an empty line, if nothing runs: once more, and the messages are listed to go back to. */
export function goBack(controller: Controller): void {
  if (controller.engine.view.messages().length === 0) return;
  if (controller.goingBack.press()) {
    controller.hint.forget();
    controller.line = lineOf('/back ');
  } else controller.hint.show('Esc again to go back to an earlier message');
}

/** Prints the newest output that is not shown in full. */
export async function unfold(controller: Controller): Promise<void> {
  const { model, engine } = controller;
  const folded = model.takeFolded();
  if (folded === undefined) return controller.hint.show('All outputs are shown in full');
  const { callId, title, text } = folded;
  model.printOpened(title, (await engine.view.wholeOutput(callId)) ?? text);
  controller.refresh();
}

/** The editor of the person has the terminal meanwhile. What goes wrong is a notice. */
async function withEditor(controller: Controller, text: string, use: (edited: string) => void): Promise<void> {
  controller.isHeld = true;
  try {
    use(await controller.edit(text));
  } catch (error) {
    controller.model.notice('warning', error instanceof Error ? error.message : String(error));
  } finally {
    controller.isHeld = false;
    controller.refresh();
  }
}

export function editOutside(controller: Controller): Promise<void> {
  return withEditor(controller, controller.pastes.expand(controller.line.text), (edited) => {
    controller.line = lineOf(edited);
  });
}

/** What a paste inserts: the path of an image, as terminals paste it for a file that is dropped, is a chip. */
export function pasted(controller: Controller, pastedKeys: string): string {
  const text = pastedText(pastedKeys);
  const { engine, images, model, pastes } = controller;
  const path = imagePathIn(text, engine.session.cwd);
  if (path !== undefined && engine.view.takesImages) return `${images.add(path)} `;
  if (path !== undefined) model.notice('warning', refusal(engine.session.model));
  return pastes.shorten(text);
}

/** What a message brings along beside its text. */
export type Brought = Pick<Extract<Op, { type: 'user_input' }>, 'images' | 'resources'>;

/** Images by the chips of a message and, if the model takes images, by paths that it names; and resources behind an `@`. */
export function broughtBy({ engine, images }: Controller, text: string): Brought {
  const { view, session } = engine;
  const named = view.takesImages ? imagePathsIn(text, session.cwd) : [];
  const files = [...new Set([...images.of(text), ...named])];
  const resources = resourcesIn(text, view.mcp.servers);
  return { ...(files.length > 0 && { images: files }), ...(resources.length > 0 && { resources }) };
}

/** The image in the clipboard becomes a chip. */
export async function pasteImage(controller: Controller): Promise<void> {
  const { engine, images, model } = controller;
  try {
    if (!engine.view.takesImages) throw new Error(refusal(engine.session.model));
    const path = await engine.view.keepImage(await imageOfClipboard(process.env));
    controller.line = insert(`${images.add(path)} `)(controller.line);
  } catch (error) {
    model.notice('warning', error instanceof Error ? error.message : String(error));
  }
  controller.refresh();
}

/** The plan that is asked about is changed in the editor of the person. They see it again before they answer. */
export async function editPlan(controller: Controller): Promise<void> {
  const { model, answers } = controller;
  const { questions } = model.calls;
  const [question] = questions;
  const plan = question === undefined ? undefined : planOf(question);
  if (question === undefined || plan === undefined) return;
  await withEditor(controller, plan, (edited) => {
    if (edited.trim() === '')
      model.notice('warning', 'The plan cannot be empty, so it is unchanged. Press n to reject it.');
    else if (questions[0] === question) {
      questions[0] = { ...question, arguments: { plan: edited } };
      answers.changed();
    } else {
      controller.line = lineOf(edited);
      model.notice('warning', 'The plan no longer needs an answer. Your text is in the input.');
    }
  });
}

/** Searches what was said, backwards; again: goes on to what is older. */
export function search(controller: Controller): void {
  if (controller.searching !== undefined) return controller.menu.move(1);
  controller.searching = controller.line;
  controller.line = EMPTY_LINE;
}

/** Ends the search, with this line in the input. */
export function endSearch(controller: Controller, line: Line): void {
  controller.searching = undefined;
  controller.line = line;
}

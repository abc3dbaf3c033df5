import type { Controller } from './controller.js';
import { EMPTY_LINE, type Line, lineOf } from './line-editor.js';
import { nextMode } from './modes.js';

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
  controller.showHint(
    mode === 'plan' ? 'plan mode: the model only reads, until you approve its plan' : `approval ${approval}`,
  );
}

/** Esc on an empty line, if nothing runs: once more, and the messages are listed to go back to. */
export function goBack(controller: Controller): void {
  if (controller.engine.view.messages().length === 0) return;
  if (controller.goingBack.press()) controller.line = lineOf('/back ');
  else controller.showHint('Esc again to go back to an earlier message');
}

/** Prints the newest output that is not shown in full. */
export async function unfold(controller: Controller): Promise<void> {
  const { model, engine } = controller;
  const folded = model.takeFolded();
  if (folded === undefined) return controller.showHint('All outputs are shown in full');
  const { callId, title, text } = folded;
  model.printOpened(title, (await engine.view.wholeOutput(callId)) ?? text);
  controller.refresh();
}

/** The text is written in the editor of the person, which has the terminal meanwhile. */
export async function editOutside(controller: Controller): Promise<void> {
  controller.isHeld = true;
  try {
    controller.line = lineOf(await controller.edit(controller.pastes.expand(controller.line.text)));
  } catch (error) {
    controller.model.notice('warning', error instanceof Error ? error.message : String(error));
  } finally {
    controller.isHeld = false;
    controller.refresh();
  }
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

import { composerRows } from './composer-rows.js';
import type { Controller } from './controller.js';
import { dialogRows } from './dialog-rows.js';
import { formRows, type FormView } from './form/form-rows.js';
import type { FormState } from './form/form-state.js';
import { liveRows } from './live-rows.js';
import { cutRow, row, type Row } from './rows.js';
import { statusRow } from './status-rows.js';

const COMPOSER_ROWS = 6;
const SUGGESTIONS = 6;

/** All that is drawn again and again, from top to bottom: always lower than the terminal, so that nothing of it is drawn twice. */
export interface FrameRows {
  readonly live: readonly Row[];
  /** The dialog, or the suggestions and the input. */
  readonly bottom: readonly Row[];
  readonly status: Row;
}

export function frameRows(
  controller: Controller,
  { height, now }: { readonly height: number; readonly now: number },
): FrameRows {
  const { model, hint, view, form } = controller;
  const bottom =
    view !== undefined
      ? [row(''), ...dialogRows(view)]
      : form !== undefined
        ? [row(''), ...formRows(formView(controller, form, height))]
        : inputRows(controller, height);
  // The row of the status, and the one below it in which the cursor stands.
  const budget = height - bottom.length - 2;
  return { live: liveRows(model, { budget, now }), bottom, status: statusRow(model, hint.text) };
}

function formView({ model, answers }: Controller, form: FormState, height: number): FormView {
  const limit = Math.max(4, Math.min(14, height - 3));
  return { form, columns: model.columns, limit, waiting: model.elicitations.length - 1, isReady: answers.isReady };
}

function inputRows({ line, model, menu, searching }: Controller, height: number): Row[] {
  const { columns } = model;
  const suggestions = menu.rows(columns, Math.max(0, Math.min(SUGGESTIONS, height - 6)));
  const limit = Math.max(1, Math.min(COMPOSER_ROWS, height - 5 - suggestions.length));
  const placeholder =
    searching !== undefined
      ? ' Part of an earlier message'
      : model.busySince === undefined
        ? ' Ask anything, or type / for commands'
        : ' Add a follow-up: the model reads it at its next step';
  const prompt = searching === undefined ? '› ' : 'search › ';
  const rows = composerRows({ line, columns, limit, prompt, placeholder });
  return [row('─'.repeat(columns), { dim: true }), ...suggestions, ...rows].map((spans) => cutRow(spans, columns));
}

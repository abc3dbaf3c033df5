/** The id of the text box. */
export const MESSAGE_BOX = 'message';

export function toMessageBox(): void {
  document.getElementById(MESSAGE_BOX)?.focus();
}

/**
 * Who answers a question by the keyboard goes on with the next open one, or with the message box: the button that had the
 * focus is about to vanish. The focus is on what is asked, not on its buttons, so that a held key answers nothing.
 */
export function leaveQuestion(form: Element): void {
  const active = document.activeElement;
  if (active === null || !form.contains(active) || !active.matches(':focus-visible')) return;
  const open = [...document.querySelectorAll('.approval:has(form)')];
  const own = open.findIndex((question) => question.contains(form));
  const next = open[own + 1] ?? open.find((_, at) => at !== own);
  const asked = next?.querySelector<HTMLElement>('.asked');
  if (asked) asked.focus();
  else toMessageBox();
}

import type { ApprovalMode, Mode } from '../protocol/settings.js';

/** What the model may do, and when a person is asked. */
export interface ModeChoice {
  readonly mode: Mode;
  readonly approval: ApprovalMode;
}

/** Modes that Shift-Tab goes through: the work as the session began, with more questions, and a plan first. */
function modesOf({ approval }: ModeChoice): readonly ModeChoice[] {
  const asking: readonly ModeChoice[] =
    approval === 'unless_trusted' ? [] : [{ mode: 'work', approval: 'unless_trusted' }];
  return [{ mode: 'work', approval }, ...asking, { mode: 'plan', approval }];
}

/** The first one if `now` is none of them. */
export function nextMode(start: ModeChoice, now: ModeChoice): ModeChoice {
  const modes = modesOf(start);
  const at = modes.findIndex(({ mode, approval }) => mode === now.mode && approval === now.approval);
  return modes[(at + 1) % modes.length] ?? start;
}

import type { Approve, ToolApproval, ToolApprovalRequest } from '../../tools/call/approval.js';
import { questionOf } from '../../tools/question/question-of.js';
import type { Dialog } from './dialog.js';
import type { Screen } from './screen.js';

/** Asks the user about each call, one after another. */
export function askPerson(dialog: Dialog, screen: Screen): Approve {
  const allowed = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  const decide = async (call: ToolApprovalRequest): Promise<boolean> => {
    const tool = JSON.stringify([call.source, call.originalName]);
    if (allowed.has(tool)) return true;
    call.signal.throwIfAborted();
    const { head, whole } = questionOf(call);
    screen.note(`Run ${head}?\n${whole}`);
    // Repeats the name, because long arguments move its line off the screen.
    const question = `${head}: [y]es, [n]o, [a]lways this tool: `;
    const answer = (await dialog.answer(question, call.signal))?.trim().toLowerCase();
    if (answer === 'a' || answer === 'always') allowed.add(tool);
    return ['y', 'yes', 'a', 'always'].includes(answer ?? '');
  };
  return (call) => {
    const answer = last.then(() => decide(call));
    last = answer.catch(() => {});
    return answer;
  };
}

/** Denies every call, because no user can answer without a terminal. */
export function denyAll(screen: Screen): Approve {
  return ({ tool }): ToolApproval => {
    screen.note(
      `${tool} did not run: standard input is not a terminal, so nobody can approve it; use --yes to run tools without asking.`,
    );
    return { approved: false, reason: 'there is nobody to ask' };
  };
}

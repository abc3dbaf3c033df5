import type { Approve, ToolApproval, ToolApprovalRequest } from '../../tools/call/approval.js';
import { showControls } from '../../util/control-characters.js';
import { cutEnds } from '../../util/excerpt.js';
import type { Dialog } from './dialog.js';
import type { Screen } from './screen.js';

/** Of each end of the arguments; what is not shown is said to be missing. */
const SHOWN_CHARS = 2_000;

/** Asks the person about each call, one after another. */
export function askPerson(dialog: Dialog, screen: Screen): Approve {
  const allowed = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  const decide = async (call: ToolApprovalRequest): Promise<boolean> => {
    const tool = JSON.stringify([call.source, call.originalName]);
    if (allowed.has(tool)) return true;
    call.signal.throwIfAborted();
    const args = cutEnds(JSON.stringify(call.arguments), SHOWN_CHARS);
    screen.note(`Run ${call.tool} of ${call.source} with ${args}?`);
    // Once more its name: long arguments move the line with it off the screen.
    const question = `${showControls(call.tool)}: [y]es, [n]o, [a]lways this tool: `;
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

/** If standard input is no terminal, there is no person to ask. */
export function denyAll(screen: Screen): Approve {
  return ({ tool }): ToolApproval => {
    screen.note(`${tool} did not run: standard input is no terminal to ask at; --yes runs tools unasked.`);
    return { approved: false, reason: 'there is no person to ask' };
  };
}

import { stdin, stderr } from 'node:process';
import { createInterface } from 'node:readline/promises';
import type { ApprovalAnswer, ApprovalQuestion, Session } from '../types/index.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { questionLine } from './readable.js';
import { showTurn } from './render.js';
import { say } from './say.js';

type Ask = (question: string) => Promise<string>;

/** Asks the person at the terminal about each call that waits, until the model is done. Elsewhere it names the commands. */
export async function settleApprovals(session: Session, before: ExitCode, ask?: Ask): Promise<ExitCode> {
  let code = before;
  while (code === EXIT.approvalNeeded && stdin.isTTY && stderr.isTTY) {
    const answers = await askAbout(session.getApprovals(), ask ?? askOnce);
    if (answers === undefined) break;
    code = await showTurn(session.answer(answers));
  }
  if (code === EXIT.approvalNeeded) {
    const id = session.id.slice(0, 8);
    say(
      `agent: ${session.getApprovals().length} calls wait: agent approve ${id}, agent deny ${id}, or agent approvals ${id}`,
    );
  }
  return code;
}

/** `undefined`: the person left without an answer, and the calls go on waiting. */
async function askAbout(questions: readonly ApprovalQuestion[], ask: Ask): Promise<ApprovalAnswer[] | undefined> {
  const answers: ApprovalAnswer[] = [];
  try {
    for (const question of questions) {
      const said = await ask(`${questionLine(question)}\n[y/N] `);
      answers.push({ approvalId: question.approvalId, approved: /^y(es)?$/i.test(said.trim()) });
    }
  } catch {
    return undefined;
  }
  return answers.length === 0 ? undefined : answers;
}

async function askOnce(question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr });
  const left = new AbortController();
  lines.once('SIGINT', () => left.abort());
  lines.once('close', () => left.abort());
  try {
    return await lines.question(question, { signal: left.signal });
  } finally {
    lines.close();
  }
}

import type { CallEntry, Entry, ItemEntry, Turn } from '../core/entry.js';
import { errorOutput, type Message, type ToolOutput } from '../core/message.js';
import { pair } from '../history/pair.js';
import { approvalRequestId } from '../items/plain.js';
import { denialReason, denialText } from '../tools/call/approval.js';
import { isSameCall } from './approval-signer.js';

/** The approvals in a prompt: the questions and the user's answers. */
export interface ApprovalHistory {
  /** The conversation; denied calls have their output. */
  readonly turns: readonly Turn[];
  /** Calls that the user has allowed, in order; only answers followed them. */
  readonly allowed: readonly CallEntry[];
  /** Calls that the user has since denied. */
  readonly denied: readonly CallEntry[];
  /** Calls at the end that have neither an output nor the user's answer. */
  readonly open: readonly CallEntry[];
  /** Requests of a server at the end, which the user has not answered. */
  readonly openRequests: readonly ItemEntry[];
  /** The end contains a question to the user, so open calls wait. Otherwise they count as interrupted. */
  readonly isAsking: boolean;
  /** The prompt has no approvals. */
  readonly isEmpty: boolean;
}

/**
 * Reads the user's answers out of a prompt. A call runs or needs approval again only at the very end of the
 * conversation. If more follows, it counts as interrupted.
 */
export function readApprovals(prompt: readonly Message[]): ApprovalHistory {
  const turns = pair(prompt, { isSame: isSameCall });
  const last = turns.findLast(({ role }) => role !== 'tool' && role !== 'system');
  const entries = last?.role === 'assistant' ? last.entries : [];
  const calls = entries.filter(mayBeAsked);
  const requests = entries.filter(isRequest);
  const allowed = calls.filter(({ approval, isSettled }) => approval?.approved === true && isSettled !== true);
  const denied = calls.filter(isDenied);
  const open = calls.filter(({ approval, isSettled }) => approval === undefined && isSettled !== true);
  const openRequests = requests.filter(({ approval }) => approval === undefined);
  const isAsking = [...calls, ...requests].some(({ wasAsked }) => wasAsked === true);
  const isEmpty = !isAsking && allowed.length + denied.length + open.length === 0;
  return { turns: withDenials(turns), allowed, denied, open, openRequests, isAsking, isEmpty };
}

/** Returns turns in which these calls have their later outputs. */
export function withOutputs(turns: readonly Turn[], outputs: ReadonlyMap<Entry, ToolOutput>): readonly Turn[] {
  if (outputs.size === 0) return turns;
  return turns.map((turn) => {
    if (turn.role !== 'assistant') return turn;
    const entries = turn.entries.map((entry): Entry => {
      const output = outputs.get(entry);
      return output === undefined || entry.type !== 'call' ? entry : { ...entry, output, answeredAt: turn.end };
    });
    return { ...turn, entries };
  });
}

function withDenials(turns: readonly Turn[]): readonly Turn[] {
  const entries = turns.flatMap((turn) => (turn.role === 'assistant' ? turn.entries : []));
  const denied = entries.filter(mayBeAsked).filter((call) => isDenied(call) && call.isSettled !== true);
  return withOutputs(turns, new Map(denied.map((entry) => [entry, errorOutput(denialOf(entry))])));
}

/** The user is never asked about hidden calls, so the client invented such an approval. */
function mayBeAsked(entry: Entry): entry is CallEntry {
  return entry.type === 'call' && entry.call.wasHidden !== true;
}

function isRequest(entry: Entry): entry is ItemEntry {
  return entry.type === 'item' && approvalRequestId(entry.item) !== undefined;
}

function isDenied({ approval }: CallEntry): boolean {
  return approval?.approved === false;
}

function denialOf({ call, approval }: CallEntry): string {
  return denialText(call.name, denialReason(approval?.reason));
}
